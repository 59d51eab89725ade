import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import type { EmbeddedPostgres } from "@wayfare/embedded-postgres";
import pg from "pg";
import { minIncrement } from "#domain/bid.ts";
import { startPostgres } from "#server/platform/embedded-postgres.ts";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import { type Bidder, sendBid } from "#tests/history/bidder.ts";
import type { Lot, Operation, RecordedBid, Violation } from "#tests/history/operation.ts";
import { bidAtRandom } from "#tests/history/random-bids.ts";
import { dataFolder, startServer } from "#tests/support/server-process.ts";
import type { Outcome } from "./outcome.ts";
import { createTestData, sessionSecret, storedBids } from "./test-data.ts";

const run = promisify(execFile);
const bidsASecond = 200;
/** Milliseconds of bidding before the backup begins. */
const before = 5_000;
/** The last release of the previous major version, in the package that provides ours. */
const olderPostgres = { version: "17.10.0-beta.17", name: `@embedded-postgres/linux-${process.arch}` };

type SocketAddress = { host: string; user: string; database: string };
type Variables = Record<string, string>;

const urlOf = ({ host, user, database }: SocketAddress) =>
  `postgres://${user}@localhost/${database}?host=${host}`;

/** Runs `npm run COMMAND`; throws with its output if it fails. */
async function npm(command: string, variables: Variables): Promise<string> {
  const { PATH, HOME } = process.env;
  const words = ["run", "--silent", ...command.split(" ")];
  const { stdout } = await run("npm", words, {
    env: { PATH, HOME, SESSION_SECRET: sessionSecret, ...variables },
  });
  return stdout;
}

/** Reads the bids from a folder's PostgreSQL while no Wayfare uses it. */
async function bidsIn(folder: string, lots: readonly Lot[]): Promise<RecordedBid[]> {
  const postgres = await startPostgres(folder);
  try {
    return (await storedBids(postgres, lots)).bids;
  } finally {
    await postgres.stop();
  }
}

/** Bids on every lot in turn until `isOver`, this many bids a second in all; each lot waits for its last answer. */
async function bidSteadily(
  url: string,
  { bidders, lots }: { bidders: readonly Bidder[]; lots: readonly Lot[] },
  isOver: () => boolean,
  onAnswer: (operation: Operation) => void,
): Promise<void> {
  const every = (1000 * lots.length) / bidsASecond;
  await Promise.all(
    lots.map(async (lot, lane) => {
      const others = bidders.filter(({ id }) => id !== lot.sellerId);
      const began = performance.now();
      for (let count = 0; !isOver(); count++) {
        await setTimeout(Math.max(0, began + (count + lane / lots.length) * every - performance.now()));
        const bidder = others[count % others.length];
        const amount = lot.startingBid + count * minIncrement;
        if (bidder)
          onAnswer(
            await sendBid(url, bidder, { productId: lot.id, key: randomUUID(), form: "exact", amount }),
          );
      }
    }),
  );
}

/**
 * Restores a backup made during 200 bids a second. It must contain every bid that was answered before the backup began,
 * and `npm run check` must find no error.
 */
export async function backUpBesideBids(): Promise<Outcome> {
  const [here, there] = [await dataFolder(), await dataFolder()];
  const file = join(await mkdtemp(join(tmpdir(), "wayfare-backup-")), "wayfare.tar.zst");
  const postgres = await startPostgres(here.path);
  await prepareDatabase({ owner: postgres, application: postgres.application });
  const data = await createTestData(postgres.application, here.path, { bidders: 20, lots: 20 });
  await postgres.stop();
  const server = await startServer({
    DATA_DIR: here.path,
    SESSION_SECRET: sessionSecret,
    LOG_LEVEL: "silent",
  });
  const operations: Operation[] = [];
  let isOver = false;
  const began = performance.now();
  const bidding = bidSteadily(
    server.url,
    data,
    () => isOver,
    (operation) => void operations.push(operation),
  );
  await setTimeout(before);
  const backupBegan = performance.now();
  const answered = [...operations];
  await npm(`backup -- ${file}`, { DATA_DIR: here.path });
  const backupEnded = performance.now();
  isOver = true;
  await bidding;
  const rate = (operations.length / (performance.now() - began)) * 1000;
  await server.stop();

  await npm(`restore -- ${file}`, { DATA_DIR: there.path });
  const check = await npm("check", { DATA_DIR: there.path });
  const restored = new Set(
    (await bidsIn(there.path, data.lots)).map(({ key, amount }) => `${key} ${amount}`),
  );
  const accepted = answered.filter(({ answer }) => answer.kind === "accepted");
  const violations = [
    ...operations.flatMap(({ answer, key }): Violation[] =>
      answer.kind === "accepted"
        ? []
        : [{ rule: "every call is answered", detail: `${key}: ${answer.kind}` }],
    ),
    ...accepted
      .filter(({ key, amount }) => !restored.has(`${key} ${amount}`))
      .map(
        ({ key }): Violation => ({ rule: "acknowledged bids are stored", detail: `${key} is not restored` }),
      ),
  ];
  await Promise.all([here.remove(), there.remove(), rm(file)]);
  const figures =
    `${Math.round(rate)} bids a second, ${accepted.length} answered before a backup of ` +
    `${Math.round(backupEnded - backupBegan)} ms, ${restored.size} restored; check: ${check.trim()}`;
  return { violations, figures };
}

/** Starts a PostgreSQL of the previous major version on a new cluster. */
async function startOlder(folder: string): Promise<EmbeddedPostgres> {
  const packages = await mkdtemp(join(tmpdir(), "wayfare-older-"));
  await chmod(packages, 0o755);
  const { name, version } = olderPostgres;
  await run("npm", ["install", "--no-save", "--ignore-scripts", "--prefix", packages, `${name}@${version}`]);
  const installed = join(packages, "node_modules", name);
  // The package's install script would do this, because npm packages can't contain symbolic links.
  await run(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: installed });
  const installation = { folder: join(installed, "native"), version };
  const postgres = await startPostgres(folder, { installation });
  return {
    ...postgres,
    async stop() {
      await postgres.stop();
      await rm(packages, { recursive: true });
    },
  };
}

const variablesOf = (owner: SocketAddress, folder: string): Variables => ({
  DATABASE_URL: urlOf({ ...owner, user: "wayfare_app" }),
  DATABASE_MIGRATION_URL: urlOf(owner),
  DATA_DIR: folder,
});

/** Restores a backup of the previous PostgreSQL into ours, and one of ours into the previous one. */
export async function betweenMajors(): Promise<Outcome> {
  const [older, newer] = [await dataFolder(), await dataFolder()];
  const backups = await mkdtemp(join(tmpdir(), "wayfare-backup-"));
  const owner = await startOlder(older.path);
  const versions = [await versionOf(owner)];
  await prepareDatabase({ owner, application: owner.application });
  const data = await createTestData(owner.application, older.path, { bidders: 8, lots: 8 });
  const variables = { ...variablesOf(owner, older.path), SESSION_SECRET: sessionSecret, LOG_LEVEL: "silent" };
  const server = await startServer(variables);
  await bidAtRandom({ ...data, urls: [server.url], seed: 17, goOn: (calls) => calls < 1_000 });
  await server.stop();
  const { bids } = await storedBids(owner, data.lots);

  const toNewer = join(backups, "to-newer.tar.zst");
  await npm(`backup -- ${toNewer}`, variables);
  await npm(`restore -- ${toNewer}`, { DATA_DIR: newer.path });
  const checks = [await npm("check", { DATA_DIR: newer.path })];
  const onNewer = await bidsIn(newer.path, data.lots);

  const toOlder = join(backups, "to-older.tar.zst");
  await npm(`backup -- ${toOlder}`, { DATA_DIR: newer.path });
  await statement(owner, "create database second");
  const second = variablesOf({ ...owner, database: "second" }, `${older.path}-second`);
  await npm(`restore -- ${toOlder}`, second);
  checks.push(await npm("check", second));
  const { bids: onOlder } = await storedBids({ ...owner, database: "second" }, data.lots);

  const postgres = await startPostgres(newer.path);
  versions.push(await versionOf(postgres));
  await postgres.stop();
  await owner.stop();
  await Promise.all([older.remove(), newer.remove(), rm(backups, { recursive: true })]);
  const violations = [onNewer, onOlder]
    .filter((restored) => restored.length === 0 || textOf(restored) !== textOf(bids))
    .map((): Violation => ({ rule: "acknowledged bids are stored", detail: "the bids differ" }));
  const figures = `${versions.join(" and ")}, ${bids.length} bids there and back; check: ${checks.map((each) => each.trim()).join(" / ")}`;
  return { violations, figures };
}

const textOf = (bids: readonly RecordedBid[]) =>
  bids
    .map((bid) => JSON.stringify(bid))
    .toSorted()
    .join("\n");

async function statement(address: SocketAddress, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...address, port: 5432 });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const versionOf = async (address: SocketAddress) =>
  String((await statement(address, "show server_version"))[0]?.["server_version"]);
