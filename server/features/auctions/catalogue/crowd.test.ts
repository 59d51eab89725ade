import { afterAll, beforeAll, expect, test } from "vitest";
import { crowdLimits } from "#domain/crowd.ts";
import { product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { Stream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let one: Wayfare;
let two: Wayfare;
let seller: Person;
beforeAll(async () => {
  one = await wayfare();
  two = await wayfare({ on: one.address });
  seller = await person(one, "agent", "approved");
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

async function watch(caller: Caller, id: string): Promise<Stream> {
  const stream = await Stream.open(caller, `product:${id}`);
  if (typeof stream === "number") throw new Error(`the stream was refused with ${stream}`);
  return stream;
}
const visitors = (w: Wayfare, id: string, number: number) =>
  Promise.all(Array.from({ length: number }, () => watch(new Caller(w.app), id)));

/** Makes both nodes count, once each has cached the product, as if a visitor had opened its page. */
async function count(id: string): Promise<void> {
  for (const w of [one, two]) {
    await w.services.products.read(id);
    await w.services.products.countWatchers();
  }
}

/** Reads events until one has the number of people who watch. */
async function watchingIn(stream: Stream): Promise<number> {
  for (;;) {
    const { data = "{}" } = (await stream.nextEvent()) ?? {};
    const { watching } = JSON.parse(data) as { watching?: number };
    if (watching !== undefined) return watching;
  }
}

const endingSoon = () => new Date(Date.now() + crowdLimits.window - 1_000);

test("a crowd on two nodes sees its size, and an account counts once", async () => {
  const id = await product(one, seller, { endDate: endingSoon() });
  const ada = await person(one, "student", "active");
  const [stream] = await visitors(one, id, 30);
  await watch(ada.caller, id);
  await watch(ada.caller, id);
  const [other] = await visitors(two, id, 25);
  if (!stream || !other) throw new Error("nobody watches");
  await count(id);
  expect(await watchingIn(stream)).toBe(56);
  expect(await watchingIn(other)).toBe(56);
});

test("nobody sees a number below a crowd, or before the last two minutes", async () => {
  const few = await product(one, seller, { endDate: endingSoon() });
  const early = await product(one, seller, { endDate: new Date(Date.now() + 10 * crowdLimits.window) });
  const [fewStream] = await visitors(one, few, crowdLimits.people - 1);
  const [earlyStream] = await visitors(one, early, crowdLimits.people);
  if (!fewStream || !earlyStream) throw new Error("nobody watches");
  await count(few);
  await count(early);
  // One more event of each shows that the numbers were not merely late.
  for (const [id, stream] of [
    [few, fewStream],
    [early, earlyStream],
  ] as const) {
    one.services.products.changed([id]);
    const { data = "{}" } = (await stream.nextEvent()) ?? {};
    expect(JSON.parse(data)).not.toHaveProperty("watching");
  }
});
