import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startPostgres } from "#server/platform/embedded-postgres.ts";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import { checkHistory } from "#tests/history/check-history.ts";
import type { Operation } from "#tests/history/operation.ts";
import { bidAtRandom } from "#tests/history/random-bids.ts";
import { dataFolder, freePort, type Server, startServer } from "#tests/support/server-process.ts";
import type { Outcome } from "./outcome.ts";
import { createTestData, type Stored, sessionSecret, storedBids, type TestData } from "./test-data.ts";

/** Number of bids that are decided between two kills. */
const bidsBetween = 60;
/** Milliseconds within which bids must be answered again. */
const readyWithin = 5_000;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * A Wayfare with its own PostgreSQL, always on one port; `bids` returns the stored bids once it has stopped for
 * good.
 */
type Home = TestData & { variables: Record<string, string>; folder: string; bids(): Promise<Stored> };

async function openHome(port: number): Promise<Home & { remove(): Promise<void> }> {
  const { path: folder, remove } = await dataFolder();
  const onDatabase = async <Result>(work: (address: EmbeddedAddress) => Promise<Result>): Promise<Result> => {
    const postgres = await startPostgres(folder);
    try {
      await prepareDatabase({ owner: postgres, application: postgres.application });
      return await work(postgres.application);
    } finally {
      await postgres.stop();
    }
  };
  const data = await onDatabase((address) => createTestData(address, folder, { bidders: 16, lots: 20 }));
  const variables = {
    DATA_DIR: folder,
    PORT: String(port),
    SESSION_SECRET: sessionSecret,
    LOG_LEVEL: "silent",
  };
  return {
    ...data,
    folder,
    variables,
    remove,
    bids: () => onDatabase((address) => storedBids(address, data.lots)),
  };
}
type EmbeddedAddress = Awaited<ReturnType<typeof startPostgres>>["application"];

/** A way to kill a process, which is then restarted if that doesn't happen by itself. */
type Kill = (home: Home, server: Server) => Promise<Server>;

export const killServer: Kill = async ({ variables }, server) => {
  await server.kill();
  return await startServer(variables);
};

export const killPostgres: Kill = async ({ folder }, server) => {
  const [pid] = (await readFile(join(folder, "postgres", "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGKILL");
  return server;
};

/** Follows the decided bids: how many there are, and when the latest of them was sent. */
function follow() {
  const decided = { number: 0, sentAt: 0 };
  const onAnswer = ({ answer, sentAt }: Operation) => {
    if (answer.kind === "unknown") return;
    decided.number++;
    decided.sentAt = Math.max(decided.sentAt, sentAt);
  };
  return { decided, onAnswer };
}

/**
 * Kills this many times while bids come in. Afterwards every acknowledged bid must be there and the rest of the promise
 * must hold; and after each kill, a bid that was sent later must have been decided in time.
 */
export async function bidThroughKills(kill: Kill, times: number, within = readyWithin): Promise<Outcome> {
  const port = await freePort();
  const home = await openHome(port);
  let server = await startServer(home.variables);
  const { decided, onAnswer } = follow();
  let finished = false;
  const urls = [server.url];
  const bidding = bidAtRandom({ ...home, urls, seed: port, goOn: () => !finished, onAnswer });
  const waits: number[] = [];
  for (let time = 0; time < times; time++) {
    const before = decided.number;
    await untilIn(server, () => decided.number >= before + bidsBetween);
    const killed = performance.now();
    server = await kill(home, server);
    await untilIn(server, () => decided.sentAt > killed);
    waits.push(performance.now() - killed);
  }
  finished = true;
  const operations = await bidding;
  await server.stop();
  const violations = checkHistory({ operations, ...(await home.bids()), lots: home.lots }, { faults: true });
  await home.remove();
  for (const wait of waits.filter((each) => each > within))
    violations.push({ rule: "every call is answered", detail: `ready only after ${Math.round(wait)} ms` });
  const acknowledged = operations.filter(({ answer }) => answer.kind === "accepted").length;
  const slowest = Math.round(Math.max(...waits));
  const figures = `${times} kills, ${acknowledged} bids acknowledged, ready again after at most ${slowest} ms`;
  return { violations, figures };
}

/** Waits for an effect of a running server. */
async function untilIn({ pid, lines }: Server, holds: () => boolean): Promise<void> {
  while (!holds()) {
    if (!isAlive(pid)) throw new Error(`the server has ended:\n${lines.slice(-20).join("\n")}`);
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
