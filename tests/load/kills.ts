import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runningPostgres, startPostgres } from "#server/platform/embedded-postgres.ts";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import { checkHistory } from "#tests/history/check-history.ts";
import type { Lot, Operation, Voiding } from "#tests/history/operation.ts";
import { bidAtRandom } from "#tests/history/random-bids.ts";
import { rareActs } from "#tests/history/rare-acts.ts";
import { dataFolder, freePort, type Server, startServer } from "#tests/support/server-process.ts";
import { slowness } from "#tests/support/slowness.ts";
import type { Outcome } from "./outcome.ts";
import {
  closeSoftly,
  createTestData,
  type StoredHistory,
  sessionSecret,
  storedBids,
  type TestData,
} from "./test-data.ts";

/** Minimum number of bids that are decided between two kills. */
const minBidsBetween = 60;
/** Number of lots whose ends late bids extend, and of lots with a fixed end. */
const [softLots, fixedLots] = [5, 15];
/** Number of people who bid concurrently. */
const clients = 16;
/** Milliseconds without an accepted bid after which a run is aborted. */
const maxStall = 300_000;
/** Milliseconds within which bids must be answered again, on the machine of `tests/support/slowness.ts`. */
const readyWithin = 5_000;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * A Wayfare with its own PostgreSQL, which its first process runs, and a second process beside it, each on a fixed
 * port. `bids` returns the stored bids once all processes have stopped.
 */
type Home = TestData & {
  folder: string;
  start(place: number): Promise<Server>;
  /** Makes some lots end soon while a process runs; returns all lots. */
  endSome(): Promise<Lot[]>;
  bids(): Promise<StoredHistory>;
};

/** Opens a home with people who make the slips once the others have used up their withdrawals. */
async function openHome(accepted: number): Promise<Home & { remove(): Promise<void> }> {
  const { path: folder, remove } = await dataFolder();
  const ports = [await freePort(), await freePort()];
  const onDatabase = async <Result>(work: (address: EmbeddedAddress) => Promise<Result>): Promise<Result> => {
    const postgres = await startPostgres(folder);
    try {
      await prepareDatabase({ owner: postgres, application: postgres.application });
      return await work(postgres.application);
    } finally {
      await postgres.stop();
    }
  };
  const newcomers = clients + Math.ceil(accepted / rareActs.slip);
  const size = { bidders: clients + newcomers, lots: softLots + fixedLots };
  const data = await onDatabase((address) => createTestData(address, folder, size));
  async function running() {
    const postgres = await runningPostgres(folder);
    if (!postgres) throw new Error("the first process runs no PostgreSQL");
    return postgres;
  }
  return {
    ...data,
    folder,
    remove,
    async start(place) {
      const variables = { PORT: String(ports[place]), SESSION_SECRET: sessionSecret, LOG_LEVEL: "silent" };
      if (place === 0) return await startServer({ ...variables, DATA_DIR: folder });
      const postgres = await running();
      const url = ({ user, host, database }: EmbeddedAddress) =>
        `postgres://${user}@localhost/${database}?host=${host}`;
      return await startServer({
        ...variables,
        DATA_DIR: `${folder}-${place}`,
        DATABASE_URL: url(postgres.application),
        DATABASE_MIGRATION_URL: url(postgres),
      });
    },
    async endSome() {
      const soft = await closeSoftly((await running()).application, data.lots.slice(0, softLots));
      return [...soft, ...data.lots.slice(softLots)];
    },
    bids: () => onDatabase((address) => storedBids(address, data.lots)),
  };
}
type EmbeddedAddress = Awaited<ReturnType<typeof startPostgres>>["application"];

/** A way to kill a process for the `time`th time, which restarts it unless it restarts automatically. */
type Kill = (home: Home, servers: Server[], time: number) => Promise<void>;

/** Kills the two server processes in turn. */
export const killServer: Kill = async (home, servers, time) => {
  const place = time % servers.length;
  await servers[place]?.kill();
  servers[place] = await home.start(place);
};

export const killPostgres: Kill = async ({ folder }) => {
  const [pid] = (await readFile(join(folder, "postgres", "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGKILL");
};

/** Tracks how many bids were decided and accepted, and when the latest decided one was sent. */
function follow() {
  const decided = { number: 0, accepted: 0, sentAt: 0 };
  const onAnswer = ({ answer, sentAt }: Operation) => {
    if (answer.kind === "unknown") return;
    decided.number++;
    if (answer.kind === "accepted") decided.accepted++;
    decided.sentAt = Math.max(decided.sentAt, sentAt);
  };
  return { decided, onAnswer };
}

type KillOptions = {
  /** Milliseconds within which bids must be answered again after a kill; slower machines get more. */
  within?: number;
  /** Minimum number of accepted bids in total. */
  accepted?: number;
};

/**
 * Kills this many times while bids arrive at two processes, among them on lots whose ends move. Afterwards every
 * acknowledged bid must be stored and the rest of the promise must hold; and after each kill, a bid sent later must
 * have been decided in time.
 */
export async function bidThroughKills(
  kill: Kill,
  times: number,
  { within = readyWithin, accepted = 0 }: KillOptions = {},
): Promise<Outcome> {
  const limit = within * (await slowness());
  const home = await openHome(accepted);
  const servers = [await home.start(0), await home.start(1)];
  const lots = await home.endSome();
  const { decided, onAnswer } = follow();
  const running = { servers, decided };
  let finished = false;
  const urls = servers.map(({ url }) => url);
  const seed = Date.now() % 1_000_000;
  const voidings: Voiding[] = [];
  const bidding = bidAtRandom({
    bidders: home.bidders.slice(0, clients),
    lots,
    urls,
    seed,
    goOn: () => !finished,
    onAnswer,
    rare: {
      admin: home.admin,
      newcomers: home.bidders.slice(clients),
      onVoiding: (voiding) => void voidings.push(voiding),
    },
  });
  const waits: number[] = [];
  for (let time = 0; time < times; time++) {
    const before = decided.number;
    const share = (accepted * time) / times;
    await untilIn(running, () => decided.number >= before + minBidsBetween && decided.accepted >= share);
    const killed = performance.now();
    await kill(home, servers, time);
    await untilIn(running, () => decided.sentAt > killed);
    waits.push(performance.now() - killed);
  }
  await untilIn(running, () => decided.accepted >= accepted);
  finished = true;
  const operations = await bidding;
  for (const server of servers.toReversed()) await server.stop();
  const rows = await home.bids();
  const violations = checkHistory({ operations, ...rows, voidings, lots }, { faults: true });
  await home.remove();
  for (const wait of waits.filter((each) => each > limit))
    violations.push({ rule: "every call is answered", detail: `ready only after ${Math.round(wait)} ms` });
  const number = (kind: Operation["answer"]["kind"]) =>
    operations.filter(({ answer }) => answer.kind === kind).length;
  const ends = new Map(lots.map(({ id, endDate }) => [id, endDate]));
  const late = rows.bids.filter(({ productId, at }) => at >= (ends.get(productId) ?? at + 1)).length;
  const withdrawn = rows.removals.filter(({ kind }) => kind === "withdrawn").length;
  const slowest = Math.round(Math.max(...waits));
  const figures = [
    `${times} kills, ${number("accepted")} of ${operations.length} calls acknowledged as accepted, ${rows.bids.length} rows`,
    `${withdrawn} slips withdrawn, ${rows.removals.length - withdrawn} times bids voided`,
    `${late} rows after an end that bids moved, ${number("ended")} bids refused as ended`,
    `ready again after at most ${slowest} ms of ${Math.round(limit)}, seed ${seed}`,
  ].join("; ");
  return { violations, figures };
}

type RunningServers = { servers: readonly Server[]; decided: { accepted: number } };

/** Waits for an effect of running servers. Fails once they have ended or no longer accept bids. */
async function untilIn({ servers, decided }: RunningServers, holds: () => boolean): Promise<void> {
  let latest = { accepted: decided.accepted, at: performance.now() };
  while (!holds()) {
    if (decided.accepted !== latest.accepted) latest = { accepted: decided.accepted, at: performance.now() };
    if (performance.now() - latest.at > maxStall) throw new Error("no bid was accepted for five minutes");
    for (const { pid, lines } of servers)
      if (!isAlive(pid)) throw new Error(`a server has ended:\n${lines.slice(-20).join("\n")}`);
    await pause(5);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
