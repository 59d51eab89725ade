import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import { checkHistory } from "#tests/history/check-history.ts";
import type { Operation } from "#tests/history/operation.ts";
import { createTestData, sessionSecret, storedBids, type TestData } from "#tests/load/test-data.ts";
import { openProxy } from "#tests/proxy.ts";
import { dataFolder, type Server, startServer } from "#tests/server-process.ts";
import { Cluster } from "./cluster.ts";
import { type Done, type Kind, kinds, type Load, startLoad } from "./load.ts";
import { openMailServer } from "./mail-server.ts";

/** Milliseconds in which every request is answered, whatever is broken. */
const longestAnswer = 20_000;
/** Milliseconds after a fault's end in which everything works again. */
export const recoveredWithin = 10_000;
/** What a busy machine may add to both, for each millisecond that the slowest answer of a kind took before the fault. */
const slackFactor = 3;

export type Scene = TestData & {
  cluster: Cluster;
  /** The one that has the data in the end, if it is another one. */
  current?: () => Cluster;
  proxy: Awaited<ReturnType<typeof openProxy>>;
  mail: Awaited<ReturnType<typeof openMailServer>>;
  servers: readonly Server[];
  /** Every bid so far, of the faults before too. */
  operations: Operation[];
  /** Bytes of a file in the store; null if it is not there. */
  sizeOf(key: string): Promise<number | null>;
  stop(): Promise<void>;
};

export type SceneOptions = {
  nodes?: number;
  /** Of each node, by its number from 0 on. */
  variables?(node: number): Record<string, string>;
  /** Where PostgreSQL keeps its data. */
  clusterIn?(folder: string): Promise<string>;
  /** What stands in front of PostgreSQL; otherwise a wire that can be cut. */
  port?: number;
  cluster?: Cluster;
  /** Where files are kept, if not in a folder as it is. */
  storeIn?(folder: string): Promise<string>;
  /** Bytes of a file in the store; null if it is not there. */
  sizeOf?(key: string): number | null;
  /** What is to be undone once nothing runs any more. */
  afterwards?(): void;
};

/** Two nodes, a PostgreSQL behind a wire, a mail server, people and products. */
export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const { nodes = 2, variables } = options;
  const folder = await dataFolder();
  const base = `${folder.path}-scene`;
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

const clusterOf = ({ cluster, current = () => cluster }: Scene): Cluster => current();

/** What one fault came to. */
export type Found = { name: string; violations: string[]; figures: string };

/** When everything worked again, in milliseconds after a moment; null for what did not within the time. */
async function recovery({ done }: Load, from: number): Promise<Record<Kind, number | null>> {
  const works = (kind: Kind): Done | undefined =>
    done.find((each) => each.kind === kind && each.status === 200 && each.sentAt >= from);
  const deadline = performance.now() + 5 * recoveredWithin;
  while (!kinds.every(works) && performance.now() < deadline) await setTimeout(20);
  const after = (kind: Kind) => [kind, Math.round((works(kind)?.answeredAt ?? Number.NaN) - from)] as const;
  return Object.fromEntries(kinds.map(after)) as Record<Kind, number>;
}

const lasted = ({ sentAt, answeredAt }: Done): number => Math.round(answeredAt - sentAt);

/** Answers that say neither that something was done nor, by code, that it can't be done now. */
const isUnclear = ({ status, code }: Done): boolean =>
  status !== 200 && !(status === 503 && ["unavailable", ""].includes(code));

/**
 * Once nothing runs any more, `said` is added to the figures, and `after` says what else is wrong. `uploadsWithin`: how many
 * milliseconds uploads may take, where that is longer than others may.
 */
type Felt = { said?(): string; after?(): Promise<string[]>; uploadsWithin?: number };

/**
 * Injects a fault while people use two nodes, ends it, and waits until everything works again. Afterwards what was
 * acknowledged must be there, and every request must have had a clear answer in time. `fault` resolves when the fault
 * is over.
 */
export async function underLoad(
  scene: Scene,
  name: string,
  fault: (load: Load) => Promise<Felt>,
): Promise<Found> {
  const load = startLoad(
    { ...scene, urls: scene.servers.map(({ url }) => url) },
    Math.floor(performance.now()),
  );
  const before = await warmUp(load);
  const began = performance.now();
  const { said, after = async () => [], uploadsWithin = longestAnswer } = await fault(load);
  const ended = performance.now();
  const recovered = await recovery(load, ended);
  const operations = await load.finish();
  scene.operations.push(...operations);
  const { done } = load;
  const violations = [
    ...(await lost(scene, load)),
    ...unclear(done, before, (kind) => (kind === "upload" ? uploadsWithin : longestAnswer)),
    ...(await after()),
    ...kinds.flatMap((kind) =>
      (recovered[kind] ?? Number.NaN) <= recoveredWithin + slackFactor * before[kind]
        ? []
        : [`${kind} did not work again within ${recoveredWithin} ms: ${recovered[kind]}`],
    ),
  ];
  const stored = await storedBids(clusterOf(scene).addresses().application, scene.lots);
  const history = checkHistory({ operations: scene.operations, stored, lots: scene.lots }, { faults: true });
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

/** Lets everything work once; how long the slowest answer of each kind took, in milliseconds. */
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
  done: readonly Done[],
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

/** What was acknowledged and is not there: rows, files, accounts. */
async function lost(scene: Scene, { acknowledged }: Load): Promise<string[]> {
  const client = new pg.Client(clusterOf(scene).addresses().owner);
  await client.connect();
  const documents = await client.query<{ id: string; key: string; size: number }>(
    "select id, storage_key as key, size from document",
  );
  const accounts = await client.query<{ email: string }>(`select email from "user"`);
  await client.end();
  const found = new Map(documents.rows.map((row) => [row.id, row]));
  const emails = new Set(accounts.rows.map(({ email }) => email));
  const files = await Promise.all(
    [...found.values()].map(async ({ id, key, size }) => {
      const stored = await scene.sizeOf(key);
      return size === stored ? [] : [`the file of document ${id} has ${stored ?? "no"} bytes`];
    }),
  );
  return [
    ...acknowledged.documents.filter((id) => !found.has(id)).map((id) => `document ${id} is lost`),
    ...acknowledged.emails.filter((email) => !emails.has(email)).map((email) => `account ${email} is lost`),
    ...files.flat(),
  ];
}
