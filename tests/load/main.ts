import { spawnSync } from "node:child_process";
import { buildPages } from "#scripts/build.ts";
import { noRedis, Redis } from "#tests/fakes/redis.ts";
import { wrongHistory } from "#tests/history/leaving.ts";
import { LeavingModel } from "#tests/history/leaving-model.ts";
import { backUpBesideBids, betweenMajors } from "./backups.ts";
import { noBalancer } from "./cluster.ts";
import { openFixture } from "./fixture.ts";
import { bidThroughKills, killPostgres, killServer } from "./kills.ts";
import { bidThroughNodes } from "./nodes.ts";
import { listOf, type Outcome } from "./outcome.ts";
import { remindThroughKills } from "./reminders.ts";
import { acrossTheEnd, equalBids, randomBids } from "./scenarios.ts";
import { copyWithoutLock, dropSafeguards } from "./without-lock.ts";

const kills = 20;
/** `ACCEPTED_BIDS=100000 npm run test:load -- kills` continues until this many bids were accepted between the kills. */
const accepted = Number(process.env["ACCEPTED_BIDS"] ?? 0);
const rounds = 10;
let failed = 0;

function report(name: string, holds: boolean, figures: string): void {
  if (!holds) failed++;
  console.log(`${holds ? "holds " : "BROKEN"}  ${name}\n        ${figures}`);
}

function reportOutcome(name: string, { violations, figures }: Outcome): void {
  report(name, violations.length === 0, `${figures}; ${violations.length} violations`);
  if (violations.length > 0) console.log(listOf(violations));
}

/** Checks the promise about bids on two server processes and an unmodified PostgreSQL. */
async function promise(): Promise<void> {
  const fixture = await openFixture({ bidders: 51, lots: 120 });
  const some = (from: number, to: number) => ({ ...fixture, lots: fixture.lots.slice(from, to) });
  try {
    reportOutcome("50 equal bids at once: exactly one is accepted", await equalBids(some(0, 1)));
    reportOutcome("200 bids across the end", await acrossTheEnd(some(1, 5), 200));
    const clients = { ...some(20, 120), bidders: fixture.bidders.slice(0, 32) };
    const random = await randomBids(clients, 100_000, Date.now() % 1_000_000);
    reportOutcome("100,000 random operations of 32 clients on 100 products", random);
  } finally {
    await fixture.stop();
  }
}

/** Checks histories of bids and deletions: many by the rules alone, and some through the application. */
async function binding(): Promise<void> {
  const runs = 100_000;
  const wrong = await wrongHistory(() => new LeavingModel(), runs);
  const acts = "bids, limits, withdrawn slips, deletions (the seller's too), log-ins and disablings";
  const figures = wrong ? JSON.stringify(wrong) : `${runs} random histories of ${acts}`;
  const promised = "nobody wins at a lower price by deleting an account";
  report(`${promised}, by the rules alone`, wrong === null, figures);
  const tests = ["--project", "nightly", "tests/history/leaving-histories.test.ts"];
  runTests(`${promised}, in 500 histories through the application`, tests, { HISTORIES: "whole" });
}

/** Expects the checker to find the violations that occur without the lock. */
async function withoutLock(): Promise<void> {
  const { main, remove } = await copyWithoutLock();
  const fixture = await openFixture({ bidders: 32, lots: rounds * 2, main, prepare: dropSafeguards });
  let caught = 0;
  const counts: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const lots = fixture.lots.slice(round * 2, round * 2 + 2);
      const { violations } = await randomBids({ ...fixture, lots }, 1_500, round);
      counts.push(violations.length);
      if (violations.length > 0) caught++;
    }
  } finally {
    await fixture.stop();
    await remove();
  }
  const figures = `caught in ${caught} of ${rounds} runs; violations found: ${counts.join(", ")}`;
  report("without the row lock the checker finds violations", caught === rounds, figures);
}

/** Tests three nodes behind a balancer, with each way that events can travel between them. */
async function nodes(): Promise<void> {
  if (noBalancer) return console.log(`skipped many nodes: ${noBalancer}`);
  buildPages();
  reportOutcome("three nodes behind HAProxy, events over NOTIFY", await bidThroughNodes());
  if (noRedis) return console.log(`skipped many nodes with Redis: ${noRedis}`);
  const redis = await Redis.open();
  try {
    reportOutcome("three nodes behind HAProxy, events over Redis", await bidThroughNodes(redis.url));
  } finally {
    await redis.kill();
  }
}

/** Runs tests in a separate process with these additional environment variables. */
function runTests(name: string, words: readonly string[], variables: Record<string, string>): void {
  const command = ["vitest", "run", ...words];
  const env = { ...process.env, ...variables };
  const { status } = spawnSync("npx", [...command, "--reporter=dot"], { stdio: "inherit", env });
  report(name, status === 0, `npx ${command.join(" ")}`);
}

/** Runs the tests of several nodes with a real Redis between them, and the tests of its faults. */
async function events(): Promise<void> {
  if (noRedis) return console.log(`skipped events over Redis: ${noRedis}`);
  const redis = await Redis.open();
  const config = ["--config", "vitest.load.config.ts"];
  try {
    runTests("the tests of several nodes hold over Redis", config, { TEST_EVENTS_URL: redis.url });
  } finally {
    await redis.kill();
  }
}

/** Runs the tests of conversations at full length; the nightly tests run a part. */
function conversations(): void {
  const name = "10,000 messages through kills of two nodes, and unread counts after 100,000 acts";
  const tests = ["--project", "nightly", "tests/process/conversations-long.test.ts"];
  runTests(name, tests, { CONVERSATIONS: "whole" });
}

/**
 * `npm run test:load` runs all parts, or the named ones: promise, binding, lock, kills, nodes, events, backup, majors,
 * reminders, conversations.
 */
const parts = process.argv.slice(2);
const isAsked = (part: string) => parts.length === 0 || parts.includes(part);

if (isAsked("promise")) await promise();
if (isAsked("binding")) await binding();
if (isAsked("lock")) await withoutLock();
if (isAsked("kills")) {
  reportOutcome(
    "kill -9 of one of two servers after the other",
    await bidThroughKills(killServer, kills, { accepted }),
  );
  reportOutcome("kill -9 of PostgreSQL", await bidThroughKills(killPostgres, kills, { accepted }));
}
if (isAsked("nodes")) await nodes();
if (isAsked("events")) await events();
if (isAsked("backup"))
  reportOutcome("a backup beside 200 bids a second, restored elsewhere", await backUpBesideBids());
if (isAsked("majors")) reportOutcome("backups between two majors of PostgreSQL", await betweenMajors());
if (isAsked("reminders")) {
  buildPages();
  reportOutcome("reminders of 200,000 open things, and kill -9 of nodes", await remindThroughKills());
}
if (isAsked("conversations")) conversations();
process.exit(failed === 0 ? 0 : 1);
