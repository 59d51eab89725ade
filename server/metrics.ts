import { createServer, type Server } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Context, Next } from "hono";
import { matchedRoutes } from "hono/route";
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from "prom-client";
import type { AuditAction } from "#domain/audit.ts";
import type { Log } from "./platform/log.ts";
import { singleFlight } from "./platform/memoize.ts";
import { ownVersion } from "./platform/version.ts";
import type { Services } from "./services.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** The procedure or screen of a request, where the server's own map of URLs is too coarse. */
    route?: string;
  }
}

/** Returns the pattern of a request's URL, never the URL itself, which may name a person or hold a token. */
export function routeOf(c: Context): string {
  const patterns = matchedRoutes(c).map(({ path }) => path);
  return c.get("route") ?? patterns.find((path) => path !== "/*" && path !== "*") ?? "*";
}

/** Counters of events: a part of `Services`. */
export type Counters = ReturnType<typeof createCounters>;

/** `accessLog`: the log with a line for each request; null for none. */
export function createCounters(accessLog: Log | null) {
  const histogram = new Histogram({
    name: "http_request_duration_seconds",
    help: "Duration of requests, by method, route and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [],
  });
  /** Hono middleware. */
  async function measure(c: Context, next: Next): Promise<void> {
    const began = performance.now();
    await next();
    const milliseconds = performance.now() - began;
    const request = { method: c.req.method, route: routeOf(c), status: c.res.status };
    histogram.observe(request, milliseconds / 1000);
    accessLog?.info({ ...request, milliseconds }, "answered");
  }
  return {
    requestTimes: { histogram, measure },
    browserErrors: new Counter<string>({
      name: "wayfare_browser_errors_total",
      help: "Errors that browsers reported to this node, by name of the error.",
      labelNames: ["name"],
      registers: [],
    }),
    virusScans: new Counter<string>({
      name: "wayfare_virus_scans_total",
      help: "Uploaded files that this node had scanned for viruses, by outcome: clean, infected, failed.",
      labelNames: ["outcome"],
      registers: [],
    }),
    webhookDeliveries: new Counter<string>({
      name: "wayfare_webhook_deliveries_total",
      help: "Attempts of this node to deliver messages to webhooks, by result: delivered, refused, gone, timeout, blocked, certificate, unreachable.",
      labelNames: ["result"],
      registers: [],
    }),
    pushes: new Counter<string>({
      name: "wayfare_pushes_total",
      help: "Attempts of this node to send push notifications to browsers, by outcome: sent, gone, again, refused.",
      labelNames: ["outcome"],
      registers: [],
    }),
  };
}

const lastOf = (action: AuditAction) =>
  `select at, detail from audit where action = '${action}' order by at desc, id desc limit 1`;

type Row = { value: number; queue?: string; state?: string };
type Query = { name: string; help: string; labelNames?: string[]; text: string };

/** Figures that only the database knows, the same on every node. A row has a `value`; its other columns are labels. */
const queries: readonly Query[] = [
  {
    name: "wayfare_jobs",
    help: "Jobs that are waiting to run, or that failed permanently within the last day, by queue and state. The same on every node.",
    labelNames: ["queue", "state"],
    text: `select name as queue, case when state = 'failed' then 'failed' else 'waiting' end as state, count(*)::int as value
      from jobs.job where state = 'failed' or (state in ('created', 'retry') and start_after <= now()) group by 1, 2`,
  },
  {
    name: "wayfare_oldest_job_seconds",
    help: "Seconds for which the longest-waiting job has been ready to run, by queue. The same on every node.",
    labelNames: ["queue"],
    text: `select name as queue, extract(epoch from max(now() - start_after))::float as value
      from jobs.job where state in ('created', 'retry') and start_after <= now() group by 1`,
  },
  {
    name: "wayfare_settle_lag_seconds",
    help: "Seconds since the end of the auction that has waited longest to be settled; 0 if none is waiting. The same on every node.",
    text: `select coalesce(extract(epoch from now() - min(ends_at)), 0)::float as value
      from auction_bidding where open and ends_at <= now()`,
  },
  {
    name: "wayfare_audit_chain_broken",
    help: "1 if the last nightly check found that the audit log is not what was written, otherwise 0. The same on every node.",
    text: `select count(*)::int as value from (${lastOf("audit-checked")}) last
      where detail ->> 'problem' > '' or detail ->> 'problemBefore' > ''`,
  },
  {
    name: "wayfare_wrong_files",
    help: "Stored files that the last nightly check found missing or damaged. The same on every node.",
    text: `select coalesce(sum((detail ->> 'problems')::int), 0)::int as value from (${lastOf("files-checked")}) last`,
  },
  {
    name: "wayfare_backup_age_seconds",
    help: "Seconds since `npm run backup` last succeeded; absent before the first success. The same on every node.",
    text: `select extract(epoch from now() - at)::float as value from (${lastOf("backed-up")}) last`,
  },
];

/** Milliseconds that the database has for a scrape: Prometheus itself waits for 10 s. */
const databaseTimeout = 2_000;

/** Returns a function that queries all figures of the database, once for all concurrent calls. Null if it times out. */
function createDatabaseReader({ pool }: Pick<Services["database"], "pool">) {
  const once = singleFlight<Map<string, Row[]> | null>();
  const readFigures = async () => {
    const answers = queries.map(
      async ({ name, text }) => [name, (await pool.query<Row>(text)).rows] as const,
    );
    return new Map(await Promise.all(answers));
  };
  return () =>
    once("figures", () =>
      Promise.race([readFigures().catch(() => null), setTimeout(databaseTimeout, null, { ref: false })]),
    );
}

/**
 * Creates the metrics that Prometheus scrapes from this node; the `help` of each says what it is. A scrape costs a few
 * small queries. While the database is away it has only what the process itself knows. Labels are names from our code,
 * so their number is bounded and they hold no personal data.
 */
export function createMetrics(
  services: Pick<
    Services,
    "database" | "reads" | "bus" | "live" | "storage" | "environment" | keyof Counters
  >,
): Registry {
  const { database, reads, bus, live, requestTimes, browserErrors, virusScans, webhookDeliveries, pushes } =
    services;
  const registry = new Registry();
  for (const counter of [requestTimes.histogram, browserErrors, virusScans, webhookDeliveries, pushes])
    registry.registerMetric(counter);
  const add = (gauge: Omit<GaugeConfiguration<string>, "registers">) =>
    registry.registerMetric(new Gauge({ ...gauge, registers: [] }));
  const readDatabase = createDatabaseReader(database);

  add({
    name: "wayfare_build_info",
    help: "Always 1. The labels are the versions of Wayfare and of Node.",
    labelNames: ["version", "node"],
    collect() {
      this.set({ version: ownVersion, node: process.version }, 1);
    },
  });
  add({
    name: "wayfare_database_up",
    help: "1 if PostgreSQL answered this scrape, otherwise 0; the metrics that come from the database are then absent.",
    async collect() {
      this.set((await readDatabase()) === null ? 0 : 1);
    },
  });
  for (const { name, help, labelNames = [] } of queries)
    add({
      name,
      help,
      labelNames,
      async collect() {
        const rows = (await readDatabase())?.get(name) ?? [];
        this.reset();
        // Without labels, a gauge that was reset is 0 rather than absent.
        if (labelNames.length === 0) this.remove();
        for (const { value, ...labels } of rows) this.set(labels, value);
      },
    });
  add({
    name: "wayfare_database_connections",
    help: "Connections to PostgreSQL, and callers that are waiting for one, by pool and state.",
    labelNames: ["pool", "state"],
    collect() {
      const { pool, pipelines, searchPool } = database;
      for (const [name, each] of Object.entries({ queries: pool, bids: pipelines, searches: searchPool })) {
        this.set({ pool: name, state: "idle" }, each.idleCount);
        this.set({ pool: name, state: "busy" }, each.totalCount - each.idleCount);
        this.set({ pool: name, state: "waiting" }, each.waitingCount);
      }
    },
  });
  add({
    name: "wayfare_live_streams",
    help: "Event streams that browsers hold open on this node.",
    collect() {
      this.set(live.count());
    },
  });
  add({
    name: "wayfare_events_over_redis",
    help: "1 if this node sends the events of bids over Redis, 0 if it sends them over PostgreSQL.",
    collect() {
      this.set(bus.carrier() === "redis" ? 1 : 0);
    },
  });
  add({
    name: "wayfare_storage_free_bytes",
    help: "Free bytes on the disk where files are stored; absent for an S3 store.",
    async collect() {
      const free = await services.storage.freeBytes();
      if (free === null) this.remove();
      else this.set(free);
    },
  });
  add({
    name: "wayfare_storage_min_free_bytes",
    help: "Number of free bytes below which uploads are refused (UPLOAD_MIN_FREE_MB).",
    collect() {
      this.set(services.environment.uploadMinFree);
    },
  });
  add({
    name: "wayfare_replica_used",
    help: "1 if this node reads lists from the replica, 0 if the replica is too far behind or can't be reached; absent without a replica.",
    collect() {
      const isUsed = reads.isReplicaUsed();
      if (isUsed === null) this.remove();
      else this.set(isUsed ? 1 : 0);
    },
  });
  return registry;
}

/**
 * Serves the metrics at /metrics, with those of the process itself (`collectDefaultMetrics`). The public must not reach
 * this server.
 */
export function serveMetrics(services: Services): Server {
  const registry = createMetrics(services);
  collectDefaultMetrics({ register: registry });
  return createServer((request, response) => {
    if (request.url === "/") {
      response.writeHead(302, { location: "/metrics" }).end();
      return;
    }
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      (error: unknown) => {
        services.log.error({ err: error }, "the metrics could not be read");
        response.writeHead(503).end();
      },
    );
  });
}
