import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import { openProxy } from "#tests/fakes/proxy.ts";
import { checkHistory } from "#tests/history/check-history.ts";
import type { Operation } from "#tests/history/operation.ts";
import { createTestData, sessionSecret, storedBids, type TestData } from "#tests/load/test-data.ts";
import { dataFolder, type Server, startServer } from "#tests/support/server-process.ts";
import { Cluster } from "./cluster.ts";
import { type CompletedRequest, type Kind, kinds, type Load, startLoad } from "./load.ts";
import { openMailServer } from "./mail-server.ts";

/** Milliseconds within which every request must be answered, whatever is broken. */
const maxAnswerTime = 20_000;
/** Milliseconds after the end of a fault within which everything must work again. */
export const recoveredWithin = 10_000;
/** Both limits grow by this factor of the slowest answer before the fault, for busy machines. */
export const slackFactor = 3;

export type Fixture = TestData & {
  cluster: Cluster;
  /** Returns the cluster that has the data in the end, if it is another one. */
  current?: () => Cluster;
  proxy: Awaited<ReturnType<typeof openProxy>>;
  mail: Awaited<ReturnType<typeof openMailServer>>;
  servers: readonly Server[];
  /** Every bid so far, earlier faults included. */
  operations: Operation[];
  /** Returns the bytes of a file in the store, or null if it doesn't exist. */
  sizeOf(key: string): Promise<number | null>;
  stop(): Promise<void>;
};

export type FixtureOptions = {
  nodes?: number;
  /** Returns the variables of a node; numbers begin at 0. */
  variables?(node: number): Record<string, string>;
  /** Returns PostgreSQL's data folder. */
  clusterIn?(folder: string): Promise<string>;
  /** The port of a balancer in front of PostgreSQL. Without it, the fixture uses a proxy that can be cut. */
  port?: number;
  cluster?: Cluster;
  /** Returns the URL of the file store, if it isn't an ordinary folder. */
  storeIn?(folder: string): Promise<string>;
  /** Returns the bytes of a file in the store, or null if it doesn't exist. */
  sizeOf?(key: string): number | null;
  /** Cleans up after everything has stopped. */
  afterwards?(): void;
};

/** Two nodes, a PostgreSQL behind a proxy, a mail server, people and products. */
export async function openFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const { nodes = 2, variables } = options;
  const folder = await dataFolder();
  const base = `${folder.path}-fixture`;
  const cluster =
    options.cluster ?? (await Cluster.create((await options.clusterIn?.(base)) ?? join(base, "postgres")));
  const proxy = await openProxy(() => ({ host: "127.0.0.1", port: cluster.port }));
  const mail = await openMailServer();
  await prepareDatabase(cluster.addresses());
  const data = await createTestData(cluster.addresses().application, join(base, "filling"), {
    bidders: 40,
    lots: 20,
  });
  const { owner, application } = cluster.access(options.port ?? proxy.port);
  const files = (await options.storeIn?.(base)) ?? join(base, "files");
  const start = (_: unknown, at: number): Promise<Server> =>
    startServer({
      DATABASE_URL: application,
      DATABASE_MIGRATION_URL: owner,
      DATA_DIR: join(base, `node-${at}`),
      STORAGE_URL: `file://${files}`,
      SESSION_SECRET: sessionSecret,
      SMTP_URL: mail.url,
      TRUST_PROXY: "1",
      LOG_LEVEL: "info",
      ...variables?.(at),
    });
  const servers = await Promise.all(Array.from({ length: nodes }, start));
  return {
    ...data,
    cluster,
    proxy,
    mail,
    servers,
    operations: [],
    sizeOf: async (key) =>
      options.sizeOf ? options.sizeOf(key) : ((await stat(join(files, key)).catch(() => null))?.size ?? null),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      await proxy.stop();
      await mail.stop();
      await cluster.remove();
      options.afterwards?.();
      await folder.remove();
    },
  };
}

const clusterOf = ({ cluster, current = () => cluster }: Fixture): Cluster => current();

/** The result of one fault. */
export type FaultResult = { name: string; violations: string[]; figures: string };
export type Report = (result: FaultResult) => void;

/** Returns the milliseconds from a moment until each kind of request worked again, or null if it did not in time. */
async function recovery({ done }: Load, from: number): Promise<Record<Kind, number | null>> {
  const works = (kind: Kind): CompletedRequest | undefined =>
    done.find((each) => each.kind === kind && each.status === 200 && each.sentAt >= from);
  const deadline = performance.now() + 5 * recoveredWithin;
  while (!kinds.every(works) && performance.now() < deadline) await setTimeout(20);
  const after = (kind: Kind) => [kind, Math.round((works(kind)?.answeredAt ?? Number.NaN) - from)] as const;
  return Object.fromEntries(kinds.map(after)) as Record<Kind, number>;
}

const lasted = ({ sentAt, answeredAt }: CompletedRequest): number => Math.round(answeredAt - sentAt);

/** Whether an answer is neither a success nor a refusal with a code. */
const isUnclear = ({ status, code }: CompletedRequest): boolean =>
  status !== 200 && !(status === 503 && ["unavailable", ""].includes(code));

/**
 * The effects of a fault: `said` is added to the figures, and `after` returns further problems once everything has
 * stopped. `uploadsWithin` is the limit for uploads in milliseconds, if it is longer than for other requests.
 */
type FaultEffects = { said?(): string; after?(): Promise<string[]>; uploadsWithin?: number };

/**
 * Injects a fault while people use two nodes, ends it, and waits until everything works again. Afterwards all
 * acknowledged data must exist, and every request must have had a clear answer in time. `fault` resolves when the fault
 * is over; `before` has the milliseconds of the slowest answer of each kind until then.
 */
export async function underLoad(
  fixture: Fixture,
  name: string,
  fault: (load: Load, before: Record<Kind, number>) => Promise<FaultEffects>,
): Promise<FaultResult> {
  const load = startLoad(
    { ...fixture, urls: fixture.servers.map(({ url }) => url) },
    Math.floor(performance.now()),
  );
  const before = await warmUp(load);
  const began = performance.now();
  const { said, after = async () => [], uploadsWithin = maxAnswerTime } = await fault(load, before);
  const ended = performance.now();
  const recovered = await recovery(load, ended);
  const operations = await load.finish();
  fixture.operations.push(...operations);
  const { done } = load;
  const violations = [
    ...(await lost(fixture, load)),
    ...unclear(done, before, (kind) => (kind === "upload" ? uploadsWithin : maxAnswerTime)),
    ...(await after()),
    ...kinds.flatMap((kind) =>
      (recovered[kind] ?? Number.NaN) <= recoveredWithin + slackFactor * before[kind]
        ? []
        : [`${kind} did not work again within ${recoveredWithin} ms: ${recovered[kind]}`],
    ),
  ];
  const history = checkHistory(
    {
      operations: fixture.operations,
      ...(await storedBids(clusterOf(fixture).addresses().application, fixture.lots)),
      lots: fixture.lots,
    },
    { faults: true },
  );
  violations.push(...history.map(({ rule, detail }) => `${rule}: ${detail}`));
  const slowest = done.toSorted((one, other) => lasted(other) - lasted(one))[0];
  const last = kinds.toSorted((one, other) => (recovered[other] ?? 0) - (recovered[one] ?? 0))[0] ?? "bid";
  const during = done.filter(({ answeredAt, sentAt }) => answeredAt >= began && sentAt <= ended);
  const failed = during.filter(({ status }) => status !== 200).length;
  const bids = operations.filter(({ answer }) => answer.kind === "accepted").length;
  const figures = [
    `fault of ${Math.round(ended - began)} ms${said ? ` (${said()})` : ""}`,
    `${bids} bids, ${load.acknowledged.documents.length} documents, ${load.acknowledged.emails.length} accounts acknowledged`,
    `${failed} of ${during.length} requests refused meanwhile`,
    `slowest answer before it ${Math.max(...Object.values(before))} ms`,
    slowest
      ? `slowest answer of all ${lasted(slowest)} ms (${slowest.kind}, ${slowest.status})`
      : "no answers",
    `all works again after ${recovered[last]} ms (bids after ${recovered.bid} ms, last ${last})`,
  ];
  return { name, violations, figures: figures.join("; ") };
}

/** Waits until each kind of request has worked; returns the duration of the slowest answer of each, in milliseconds. */
async function warmUp({ done }: Load): Promise<Record<Kind, number>> {
  const worked = (kind: Kind) => done.filter((each) => each.kind === kind && each.status === 200);
  const deadline = performance.now() + 60_000;
  while (!kinds.every((kind) => worked(kind).length > 0)) {
    if (performance.now() > deadline) throw new Error("not everything worked before the fault");
    await setTimeout(50);
  }
  await setTimeout(1_000);
  return Object.fromEntries(
    kinds.map((kind) => [kind, Math.max(...worked(kind).map(lasted))] as const),
  ) as Record<Kind, number>;
}

function unclear(
  done: readonly CompletedRequest[],
  before: Record<Kind, number>,
  within: (kind: Kind) => number,
): string[] {
  const wrong = Map.groupBy(
    done.filter(isUnclear),
    ({ kind, status, code }) => `${kind} was answered ${status} ${code}`,
  );
  const late = done.filter((each) => lasted(each) > within(each.kind) + slackFactor * before[each.kind]);
  return [
    ...[...wrong].map(([what, of]) => `${what} (${of.length} times)`),
    ...late.map(
      ({ kind, sentAt, answeredAt }) => `${kind} was answered after ${Math.round(answeredAt - sentAt)} ms`,
    ),
  ];
}

/** Lists acknowledged rows, files and accounts that are missing. */
async function lost(fixture: Fixture, { acknowledged }: Load): Promise<string[]> {
  const client = new pg.Client(clusterOf(fixture).addresses().owner);
  await client.connect();
  const documents = await client.query<{ id: string; key: string; size: number }>(
    "select id, storage_key as key, size from document",
  );
  const accounts = await client.query<{ email: string }>(`select email from "user"`);
  await client.end();
  const documentById = new Map(documents.rows.map((row) => [row.id, row]));
  const emails = new Set(accounts.rows.map(({ email }) => email));
  const files = await Promise.all(
    [...documentById.values()].map(async ({ id, key, size }) => {
      const storedSize = await fixture.sizeOf(key);
      return size === storedSize ? [] : [`the file of document ${id} has ${storedSize ?? "no"} bytes`];
    }),
  );
  return [
    ...acknowledged.documents.filter((id) => !documentById.has(id)).map((id) => `document ${id} is lost`),
    ...acknowledged.emails.filter((email) => !emails.has(email)).map((email) => `account ${email} is lost`),
    ...files.flat(),
  ];
}
