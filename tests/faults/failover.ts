import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { dataFolder, freePort } from "#tests/support/server-process.ts";
import { Cluster } from "./cluster.ts";
import { openFixture, type Report, recoveredWithin, underLoad } from "./fixture.ts";
import type { Load } from "./load.ts";
import { untilMetric } from "./metrics.ts";

/** Serves whether each cluster is the primary, like Patroni's interface: 200 or 503. */
async function openRoles(clusters: readonly Cluster[]) {
  const isPrimary = async (at: number): Promise<boolean> => {
    const rows = await clusters[at]?.ask<{ standby: boolean }>(
      "select pg_is_in_recovery() as standby",
      "postgres",
    );
    return rows?.[0]?.standby === false;
  };
  const server = createServer((request, response) => {
    isPrimary(Number(request.url?.slice(1))).then(
      (yes) => response.writeHead(yes ? 200 : 503).end(),
      () => response.writeHead(503).end(),
    );
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { port, stop: () => void server.close() };
}

/** Starts haproxy as in docs/operations.md: it checks which server is the primary, and routes all connections there. */
async function openBalancer(folder: string, clusters: readonly Cluster[], roles: number) {
  const port = await freePort();
  const servers = clusters.map(
    (cluster, at) =>
      `  server postgres-${at} 127.0.0.1:${cluster.port} check addr 127.0.0.1 port ${roles} inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions`,
  );
  // Each cluster is checked under its own path.
  const backends = clusters.map((_, at) =>
    [`backend primary-${at}`, `  option httpchk GET /${at}`, servers[at] ?? ""].join("\n"),
  );
  const uses = clusters.map((_, at) => `  use_backend primary-${at} if { nbsrv(primary-${at}) gt 0 }`);
  const lines = [
    "defaults",
    "  mode tcp",
    "  timeout connect 3s",
    "  timeout client 1h",
    "  timeout server 1h",
    "frontend postgres",
    `  bind 127.0.0.1:${port}`,
    ...uses,
    ...backends,
    "",
  ];
  const path = join(folder, "haproxy.cfg");
  await writeFile(path, lines.join("\n"));
  const child: ChildProcess = spawn("/usr/sbin/haproxy", ["-f", path, "-db"], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  return {
    port,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Kills the primary while people bid, and promotes the standby. */
export async function failover(report: Report): Promise<void> {
  const folder = await dataFolder();
  const primary = await Cluster.create(join(folder.path, "primary"));
  const standby = await Cluster.standbyOf(primary, join(folder.path, "standby"));
  await primary.set("synchronous_standby_names = 'standby'");
  const roles = await openRoles([primary, standby]);
  const balancer = await openBalancer(folder.path, [primary, standby], roles.port);
  let current = primary;
  const fixture = await openFixture({ cluster: primary, port: balancer.port });
  try {
    let promoted = 0;
    const outcome = await underLoad(
      { ...fixture, current: () => current },
      "PostgreSQL fails over to its synchronous standby",
      async () => {
        await primary.stop("SIGKILL");
        // A cluster manager takes some seconds to declare the primary dead.
        await setTimeout(3_000);
        current = standby;
        await standby.promote();
        promoted = performance.now();
        return {};
      },
    );
    report(outcome);
    if (promoted === 0) throw new Error(`nobody was promoted within ${recoveredWithin} ms`);
  } finally {
    await fixture.stop();
    await balancer.stop();
    roles.stop();
    await standby.remove();
    await folder.remove();
  }
}

/** Reads lists from a standby that falls behind and is killed: no list may fail or show outdated data. */
export async function replicaBehind(report: Report): Promise<void> {
  const folder = await dataFolder();
  const primary = await Cluster.create(join(folder.path, "primary"));
  const standby = await Cluster.standbyOf(primary, join(folder.path, "standby"));
  const METRICS_PORT = String(await freePort());
  const variables = () => ({ DATABASE_REPLICA_URL: standby.access().application, METRICS_PORT });
  const fixture = await openFixture({ cluster: primary, nodes: 1, variables });

  const untilUsed = (used: boolean) => untilMetric([METRICS_PORT], `wayfare_replica_used ${used ? 1 : 0}`);

  /** Returns the milliseconds until a change on the primary is in the list. */
  async function untilListed(word: string): Promise<number> {
    const began = performance.now();
    await primary.ask(`update auction_product set product_name = '${word}'`);
    for (;;) {
      const response = await fetch(`${fixture.servers[0]?.url}/rpc/auctions/list`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-csrf-token": "orpc" },
        body: JSON.stringify({ json: {} }),
      });
      if ((await response.text()).includes(word)) return Math.round(performance.now() - began);
      if (performance.now() - began > 30_000) return Number.POSITIVE_INFINITY;
      await setTimeout(20);
    }
  }

  const refusedLists = ({ done }: Load): string[] => {
    const refused = done.filter(({ kind, status }) => kind !== "bid" && status !== 200);
    return refused.length === 0 ? [] : [`${refused.length} requests were refused`];
  };

  try {
    await untilUsed(true);
    report(
      await underLoad(fixture, "the replica falls behind", async (load) => {
        await standby.ask("select pg_wal_replay_pause()", "postgres");
        const delay = await untilListed("Renamed meanwhile");
        await untilUsed(false);
        await standby.ask("select pg_wal_replay_resume()", "postgres");
        await untilUsed(true);
        const tooOld = delay > 5_000 ? [`a list was ${delay} ms old`] : [];
        return {
          said: () => `a change listed after ${delay} ms`,
          after: async () => [...tooOld, ...refusedLists(load)],
        };
      }),
    );
    report(
      await underLoad(fixture, "the replica is killed", async (load) => {
        await standby.stop("SIGKILL");
        await untilUsed(false);
        await setTimeout(2_000);
        await standby.start();
        await untilUsed(true);
        return { after: async () => refusedLists(load) };
      }),
    );
  } finally {
    await fixture.stop();
    await standby.remove();
    await folder.remove();
  }
}
