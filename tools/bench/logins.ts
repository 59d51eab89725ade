import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { centsPerRand } from "#domain/money.ts";
import { freshEmail, goodPassword, signUpForm } from "#tests/support/factories.ts";
import { hashTime } from "#tests/support/slowness.ts";
import { type CallResult, callFrom, countStatuses } from "./call.ts";
import { type Figure, milliseconds, p99, time } from "./measure.ts";
import { openAuction } from "./open-auction.ts";
import { newProducts, openBrowser, openServerFixture, type ServerFixture } from "./server-fixture.ts";

const loginsASecond = 50;
const addresses = 50;
/** Milliseconds of the logins; the quiet before and the quiet after are half as long each. */
const lasting = 20_000;
const everyMilliseconds = 40;
/** People who log in again as soon as they are logged in, for this many milliseconds. */
const crowd = { people: 8, lasting: 10_000 };
/** Minimum logins per hash that this machine makes when idle: 40 a second of 62.5, at 16 ms a hash. */
const minLoginsPerHash = 0.64;

const addressOf = (at: number) => `10.0.0.${(at % addresses) + 1}`;

/** Creates accounts to log in to, each signed up from its own address. */
async function createAccounts(url: string): Promise<string[]> {
  const emails: string[] = [];
  for (let at = 0; at < addresses; at++) {
    const form = signUpForm();
    const { status } = await callFrom(url, addressOf(at), "account/signUp", form);
    if (status !== 200) throw new Error(`a sign-up was answered with ${status}`);
    emails.push(form.email);
  }
  return emails;
}

/** Wrong passwords are for existing and for missing accounts in turn: each is hashed all the same. */
type Password = "right" | "wrong";

/** Sends logins at even intervals; resolves once each has its answer. */
async function flood(url: string, emails: readonly string[], password: Password): Promise<CallResult[]> {
  const answers: Promise<CallResult>[] = [];
  const began = performance.now();
  for (let at = 0; at < (lasting / 1000) * loginsASecond; at++) {
    await setTimeout(Math.max(0, began + (at * 1000) / loginsASecond - performance.now()));
    const isKnown = password === "right" || Math.floor(at / addresses) % 2 === 0;
    const email = isKnown ? emails[at % addresses] : freshEmail();
    const input = { email, password: password === "right" ? goodPassword : "wrong password" };
    answers.push(callFrom(url, addressOf(at), "account/signIn", input));
  }
  return await Promise.all(answers);
}

/** Measures the logins a second of a few people who log in concurrently while nothing else happens. */
async function crowdedLogins(url: string, emails: readonly string[]): Promise<Figure> {
  const bare = 1000 / (await hashTime());
  const deadline = performance.now() + crowd.lasting;
  const answers: CallResult[] = [];
  const times: number[] = [];
  async function keepLoggingIn(person: number): Promise<void> {
    for (let at = person; performance.now() < deadline; at += crowd.people) {
      const input = { email: emails[at % addresses], password: goodPassword };
      times.push(
        await time(async () => {
          answers.push(await callFrom(url, addressOf(at), "account/signIn", input));
        }),
      );
    }
  }
  await Promise.all(Array.from({ length: crowd.people }, (_, person) => keepLoggingIn(person)));
  const logins = answers.filter(({ status }) => status === 200).length / (crowd.lasting / 1000);
  const value = logins / bare;
  return {
    name: `logins of ${crowd.people} people at once ÷ bare hashes`,
    value,
    limit: `at least ${minLoginsPerHash}`,
    holds: value >= minLoginsPerHash,
    detail: `${logins.toFixed(1)} a second of ${bare.toFixed(1)}, p99 ${milliseconds(p99(times))}; ${countStatuses(answers)}`,
  };
}

type Probe = { name: string; ask(): Promise<Response> };

/** Creates the requests of other users meanwhile. */
async function createProbes({ server, pool }: ServerFixture): Promise<Probe[]> {
  const { url } = server;
  const path = await openAuction(server);
  const state = await fetch(url + path.replace("/product/", "/auctions/products/"));
  const { pictures } = z
    .object({ pictures: z.array(z.object({ id: z.string() })) })
    .parse(await state.json());
  const { connection, cookie } = await openBrowser(server);
  connection.close();
  // A bidder may raise their own bid on a product 60 times a minute.
  const products = await newProducts(pool, 50);
  const call = (procedure: string, json: object) =>
    fetch(`${url}/rpc/${procedure}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": "orpc", cookie },
      body: JSON.stringify({ json }),
    });
  let bids = 0;
  function bid(): Promise<Response> {
    const productId = products[bids % products.length];
    const amount = (1 + Math.floor(bids++ / products.length)) * centsPerRand;
    return call("auctions/bid", { productId, amount, idempotencyKey: randomUUID() });
  }
  return [
    { name: "home page", ask: () => fetch(url) },
    { name: "a picture", ask: () => fetch(`${url}/pictures/${pictures[0]?.id}/800.webp`) },
    { name: "account.me", ask: () => call("account/me", {}) },
    { name: "a bid", ask: bid },
  ];
}

/** Returns the milliseconds of each complete answer, requested at even intervals until the work is done. */
async function watch({ name, ask }: Probe, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const took = await time(async () => {
      const response = await ask();
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${name} was answered with ${response.status}`);
    });
    times.push(took);
    await setTimeout(Math.max(0, everyMilliseconds - took));
  }
  return times;
}

type LoginTimes = { times: number[][]; waits: number[] };

/** Returns the probes' times during some work, and the seconds until auctions that ended meanwhile were settled. */
async function during(
  fixture: ServerFixture,
  probes: readonly Probe[],
  work: () => Promise<unknown>,
): Promise<LoginTimes> {
  const ids = await newProducts(fixture.pool, 5, `${lasting / 4} milliseconds`);
  let isOver = false;
  const watching = probes.map((probe) => watch(probe, () => isOver));
  await work();
  isOver = true;
  const times = await Promise.all(watching);
  const { rows } = await fixture.pool.query<{ after: number | null }>(
    `select extract(epoch from closed_at - ends_at)::float as after
     from auction_product join auction_bidding on product_id = id where id = any($1::uuid[])`,
    [ids],
  );
  return { times, waits: rows.map(({ after }) => after ?? Number.POSITIVE_INFINITY) };
}

function ratio(name: string, quiet: readonly number[], loud: readonly number[]): Figure {
  const value = p99(loud) / p99(quiet);
  return {
    name,
    value,
    limit: "under 3",
    holds: value < 3,
    detail: `${milliseconds(p99(loud))}, quiet ${milliseconds(p99(quiet))}`,
  };
}

/** Measures how 50 logins a second from 50 addresses, with correct and then wrong passwords, affect other users. */
export async function logins(): Promise<Figure[]> {
  const fixture = await openServerFixture({ TRUST_PROXY: "1" });
  const { url } = fixture.server;
  try {
    const emails = await createAccounts(url);
    const probes = await createProbes(fixture);
    const quiet = () => during(fixture, probes, () => setTimeout(lasting / 2));
    const quiets = [await quiet()];
    const figures = [await crowdedLogins(url, emails)];
    // Wrong passwords lock the accounts, so they come last.
    for (const password of ["right", "wrong"] as const) {
      let answers: CallResult[] = [];
      const loud = await during(fixture, probes, async () => {
        answers = await flood(url, emails, password);
      });
      quiets.push(await quiet());
      figures.push(...figuresOf(`logins, ${password}`, probes, quiets, loud, answers));
    }
    return figures;
  } finally {
    await fixture.stop();
  }
}

function figuresOf(
  name: string,
  probes: readonly Probe[],
  quiets: readonly LoginTimes[],
  loud: LoginTimes,
  answers: readonly CallResult[],
): Figure[] {
  const failed = answers.filter(({ status }) => status === 500).length;
  const around = quiets.slice(-2);
  const [soonest, latest] = [Math.min(...loud.waits), Math.max(...loud.waits)];
  return [
    {
      name: `${name}: answers of 500`,
      value: failed,
      limit: "0",
      holds: failed === 0,
      detail: `${loginsASecond} a second for ${lasting / 1000} s: ${countStatuses(answers)}`,
    },
    ...probes.map((probe, at) =>
      ratio(
        `${name}: ${probe.name} p99 ÷ quiet`,
        around.flatMap(({ times }) => times[at] ?? []),
        loud.times[at] ?? [],
      ),
    ),
    {
      name: `${name}: end → settled, s`,
      value: latest,
      limit: "at most 2, none before the end",
      holds: soonest >= 0 && latest <= 2,
      detail: `soonest ${soonest.toFixed(2)} s; quiet ${Math.max(...around.flatMap(({ waits }) => waits)).toFixed(2)} s`,
    },
  ];
}
