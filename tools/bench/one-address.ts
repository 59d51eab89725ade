import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { z } from "zod";
import { textIn } from "#tests/support/caller.ts";
import { goodPassword, signUpForm } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { painted } from "#tests/support/pictures.ts";
import { realPng } from "#tests/support/real-png.ts";
import { slowness } from "#tests/support/slowness.ts";
import { callFrom } from "./call.ts";
import { type Figure, milliseconds, p99, time } from "./measure.ts";
import type { attack } from "./one-address-attack.ts";
import { newProducts, openServerFixture } from "./server-fixture.ts";

const attacker = "192.0.2.1";
/** Milliseconds of the attack, and of the quiet before it. */
const duration = 60_000;
/** More than are requested in both minutes. */
const products = 500;

type Account = { email: string; cookie: string; address: string };

async function signUp(url: string, address: string, sentFrom = address): Promise<Account> {
  const form = signUpForm();
  const { status, headers } = await callFrom(url, sentFrom, "account/signUp", form);
  if (status !== 200) throw new Error(`a sign-up was answered with ${status}`);
  const cookie = headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  return { email: form.email, cookie: cookie.join("; "), address };
}

const upload = (url: string, { cookie, address }: Account, path: string, bytes: Uint8Array) =>
  fetch(`${url}/files/${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/octet-stream",
      "x-csrf-token": "orpc",
      "x-file-name": "file.pdf",
      "x-forwarded-for": address,
      cookie,
    },
    body: new Uint8Array(bytes),
  });

async function dataLink(url: string, { cookie, address }: Account): Promise<string> {
  const response = await fetch(`${url}/rpc/account/dataLink`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-csrf-token": "orpc",
      "x-forwarded-for": address,
      cookie,
    },
    body: "{}",
  });
  // Its refusal is delayed on purpose (`delay-refusals.ts`), and must not pass for a slow download.
  if (!response.ok) throw new Error(`a link to somebody's data was answered with ${response.status}`);
  const body: unknown = await response.json();
  return textIn(Object(body).json, "url");
}

/**
 * Requests of other users; each is sent every `every` milliseconds, from its own address. The slowest hundredth of
 * fewer than a hundred answers is the slowest one, so slow requests are sent often too.
 */
type Probe = { name: string; every: number; ask(at: number): Promise<Response> };

/** The data for probes; `items` are the ids of products whose pages nobody has requested. */
type Material = { people: readonly Account[]; picture: Uint8Array; items: Iterator<string> };

function probesOf(url: string, { people, picture, items }: Material): Probe[] {
  const half = people.length / 2;
  const nobody: Account = { email: "", cookie: "", address: "" };
  const person = (at: number) => people[at % half] ?? nobody;
  // A log-in ends the session that it is sent with, so these people do nothing else.
  const returning = (at: number) => people[half + (at % half)] ?? nobody;
  const page = (path: string) => (at: number) =>
    fetch(url + path, { headers: { "x-forwarded-for": `10.1.0.${at % 200}` } });
  const call = (procedure: string, { cookie, address }: Account, json: object) =>
    fetch(`${url}/rpc/${procedure}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-csrf-token": "orpc",
        "x-forwarded-for": address,
        cookie,
      },
      body: JSON.stringify({ json }),
    });
  return [
    { name: "home page", every: 300, ask: page("/") },
    { name: "auctions", every: 300, ask: page("/auctions") },
    { name: "login page", every: 300, ask: page("/login") },
    // Each is requested once, so that no cached page can replace it.
    { name: "unrendered page", every: 300, ask: (at) => page(`/product/${items.next().value}`)(at) },
    { name: "account.me", every: 50, ask: (at) => call("account/me", person(at), {}) },
    {
      name: "log-in",
      every: 300,
      ask: (at) =>
        call("account/signIn", returning(at), { email: returning(at).email, password: goodPassword }),
    },
    {
      name: "sign-up",
      every: 600,
      ask: (at) => call("account/signUp", { ...person(at), cookie: "" }, signUpForm()),
    },
    { name: "picture", every: 3000, ask: (at) => upload(url, person(at), "auction-pictures", picture) },
    {
      name: "own data",
      // An account may download its data five times a day, and sixty people take turns in both minutes.
      every: 500,
      ask: async (at) =>
        fetch(url + (await dataLink(url, person(at))), {
          headers: { cookie: person(at).cookie, "x-forwarded-for": person(at).address },
        }),
    },
  ];
}

type ResponseTimes = { times: number[]; refused: number };

async function watch({ every, ask }: Probe, isOver: () => boolean): Promise<ResponseTimes> {
  const result: ResponseTimes = { times: [], refused: 0 };
  for (let at = 0; !isOver(); at++) {
    const took = await time(async () => {
      const response = await ask(at);
      await response.arrayBuffer();
      if (!response.ok) result.refused += 1;
    });
    result.times.push(took);
    await setTimeout(Math.max(0, every - took));
  }
  return result;
}

async function during(probes: readonly Probe[]): Promise<ResponseTimes[]> {
  let isOver = false;
  const watching = probes.map((probe) => watch(probe, () => isOver));
  await setTimeout(duration);
  isOver = true;
  return await Promise.all(watching);
}

/** Measures how other users are affected by everything that one address can send concurrently. */
export async function oneAddress(): Promise<Figure[]> {
  const fixture = await openServerFixture({ TRUST_PROXY: "1" });
  const { url } = fixture.server;
  try {
    const hostile: Account[] = [];
    for (let at = 0; at < 20; at++) hostile.push(await signUp(url, attacker, `10.2.0.${at}`));
    const people: Account[] = [];
    for (let at = 0; at < 120; at++) people.push(await signUp(url, `10.3.0.${at}`));
    const downloads: string[] = [];
    for (const each of hostile.slice(0, 8)) {
      await upload(url, each, "documents/cv", pdf(15_000_000));
      downloads.push(await dataLink(url, each));
    }
    const probes = probesOf(url, {
      people,
      picture: await painted(1_200, 900).jpeg().toBuffer(),
      items: (await newProducts(fixture.pool, products)).values(),
    });
    const times = await slowness();
    const quiet = await during(probes);
    const workerData: z.infer<typeof attack> = {
      url,
      downloads,
      cookies: hostile.map(({ cookie }) => cookie),
      picture: new Uint8Array(await realPng({ width: 7_000, height: 7_000, depth: 16, colour: "rgba" })),
    };
    const attacking = new Worker(new URL("one-address-attack.ts", import.meta.url), { workerData });
    let loud: ResponseTimes[];
    try {
      // A thread takes a second or more to start.
      await once(attacking, "message");
      loud = await during(probes);
      attacking.postMessage("over");
      const [answers]: unknown[] = await once(attacking, "message");
      console.log(`the attack: ${String(answers)}`);
    } finally {
      // This comes before the server stops: the attack would fail then, and hide an earlier failure.
      await attacking.terminate();
    }
    return probes.flatMap(({ name }, at) => figuresOf(name, maxTime(name, times), quiet[at], loud[at]));
  } finally {
    await fixture.stop();
  }
}

const maxRatio = 3;
/**
 * Returns the milliseconds within which an answer is always good enough: a person feels no wait (Interaction to Next
 * Paint calls it good), and three times an answer of 14 ms is less than one turn of the attack on a busy core. A
 * picture waits for at most two hostile ones, each of which takes up to 4 s of a fast processor (`hostile-pictures`).
 */
const maxTime = (name: string, slowness: number) => Math.round(name === "picture" ? 8_000 * slowness : 200);

function figuresOf(
  name: string,
  enough: number,
  quiet: ResponseTimes | undefined,
  loud: ResponseTimes | undefined,
): Figure[] {
  const [before, meanwhile] = [p99(quiet?.times ?? []), p99(loud?.times ?? [])];
  const value = meanwhile / before;
  const refused = loud?.refused ?? 0;
  return [
    {
      name: `${name}: p99 ÷ quiet`,
      value,
      limit: `at most ${maxRatio}, or ${enough} ms`,
      holds: value <= maxRatio || meanwhile <= enough,
      detail: `${milliseconds(meanwhile)} of ${loud?.times.length}, quiet ${milliseconds(before)}`,
    },
    {
      name: `${name}: refused`,
      value: refused,
      limit: "0",
      holds: refused === 0,
      detail: `quiet ${quiet?.refused}`,
    },
  ];
}
