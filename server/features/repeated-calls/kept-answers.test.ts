import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bid, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { removeKeptAnswers } from "./kept-answers.ts";
import { keptAnswer } from "./tables.ts";

let w: Wayfare;
let student: Person;
beforeAll(async () => {
  w = await wayfare();
  student = await person(w, "student", "active");
});
afterAll(() => w.stop());

const item = (course: string) => ({ university: "Leeds", course, url: "https://leeds.example/" });

async function send(
  path: string,
  key: string | null,
  body: object | null,
  { caller } = student,
  method = "POST",
) {
  const response = await caller.request(`/api/v1${path}`, {
    method,
    headers: { "content-type": "application/json", ...(key !== null && { "idempotency-key": key }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: Object(await response.json()), headers: response.headers };
}

const itemsOf = async ({ caller }: Person) => Object((await caller.call("shortlist.list")).body).items;
/** Dates an attempt back by some seconds. */
const age = (key: string, seconds: number, more = "") =>
  w.services.database.pool.query(
    `update kept_answer set started_at = started_at - make_interval(secs => $2) ${more} where key = $1`,
    [key, seconds],
  );

test("a repeated change is carried out once and gets the same answer", async () => {
  const who = await person(w, "student", "active");
  const key = randomUUID();
  const first = await send("/shortlist", key, item("Nursing"), who);
  expect(first.status).toBe(200);
  const again = await send("/shortlist", key, item("Nursing"), who);
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(first.headers.get("idempotency-replayed")).toBeNull();
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  // A structured header has the key in quotes.
  expect((await send("/shortlist", `"${key}"`, item("Nursing"), who)).body).toEqual(first.body);
  expect(await itemsOf(who)).toHaveLength(1);
  // Without a key the call is a new one, and the item exists already.
  expect((await send("/shortlist", null, item("Nursing"), who)).status).toBe(409);
});

test("a refusal is repeated too, and another request with the same key is refused", async () => {
  const key = randomUUID();
  const wrong = await send("/shortlist", key, item(""));
  expect(wrong.status).toBe(422);
  const again = await send("/shortlist", key, item(""));
  expect([again.status, again.body]).toEqual([422, wrong.body]);
  expect(again.headers.get("content-type")).toBe("application/problem+json");
  for (const other of [
    await send("/shortlist", key, item("Law")),
    await send("/shortlist/x", key, null, student, "DELETE"),
  ])
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency-key-reused" } });
});

test("one of several concurrent calls is carried out; the others get its answer or 409", async () => {
  const who = await person(w, "student", "active");
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => send("/shortlist", key, item("Physics"), who)),
  );
  for (const { status, body } of answers)
    expect(status === 200 ? body.course : body.code).toBe(
      status === 200 ? "Physics" : "idempotency-key-in-use",
    );
  expect(await itemsOf(who)).toHaveLength(1);
  expect((await send("/shortlist", key, item("Physics"), who)).status).toBe(200);
});

test("an attempt that a process abandoned can be repeated after a minute", async () => {
  const who = await person(w, "student", "active");
  const key = randomUUID();
  await send("/shortlist", key, item("Music"), who);
  // The change is stored, but its answer is not.
  await age(key, 30, ", status = null, body = null");
  const early = await send("/shortlist", key, item("Music"), who);
  expect(early).toMatchObject({ status: 409, body: { code: "idempotency-key-in-use" } });
  expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(0);
  await age(key, 31);
  expect((await send("/shortlist", key, item("Opera"), who)).body.code).toBe("idempotency-key-reused");
  expect((await send("/shortlist", key, item("Music"), who)).body.code).toBe("already-exists");
  expect(await itemsOf(who)).toHaveLength(1);
});

test("keys are separate for each account, and free again after a day", async () => {
  const [one, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const key = randomUUID();
  await send("/shortlist", key, item("Law"), one);
  expect((await send("/shortlist", key, item("Art"), other)).body.course).toBe("Art");
  await age(key, 24 * 3600 + 1);
  expect((await send("/shortlist", key, item("Dance"), one)).body.course).toBe("Dance");
});

test("a failure before the change runs is not kept", async () => {
  const agent = await person(w, "agent", "pending");
  const key = randomUUID();
  const path = `/students/${student.id}/agent`;
  const input = { agentId: null, expectedAgentId: null };
  expect((await send(path, key, input, agent, "PUT")).status).toBe(403);
  expect(await w.services.database.db.select().from(keptAnswer)).not.toContainEqual(
    expect.objectContaining({ key }),
  );
});

test("a key must be a UUID, and is required for bids", async () => {
  expect((await send("/shortlist", "again", item("Law"))).body).toMatchObject({
    status: 400,
    errors: [{ field: "Idempotency-Key" }],
  });
  const productId = await product(w, await person(w, "student", "active"));
  expect((await send(`/auctions/${productId}/bids`, null, { amount: 50_000 })).status).toBe(400);
});

test("a bid's key belongs to the auction, and works for both /rpc and /api", async () => {
  const bidder = await person(w, "student", "active");
  const productId = await product(w, await person(w, "student", "active"));
  const key = randomUUID();
  const first = await send(`/auctions/${productId}/bids`, key, { amount: 50_000 }, bidder);
  expect(first).toMatchObject({ status: 200, body: { number: 1, amount: 50_000 } });
  expect((await send(`/auctions/${productId}/bids`, key, { amount: 50_000 }, bidder)).body).toEqual(
    first.body,
  );
  expect(await bid(bidder.caller, productId, 500, key)).toMatchObject({ status: 200, body: { number: 1 } });
  const other = await send(`/auctions/${productId}/bids`, key, { amount: 60_000 }, bidder);
  expect(other).toMatchObject({ status: 409, body: { code: "already-exists" } });
  // The key in the header counts, not the one in the body.
  const own = { amount: 70_000, idempotencyKey: key };
  expect((await send(`/auctions/${productId}/bids`, randomUUID(), own, bidder)).body.number).toBe(2);
});

test("a withdrawal's key is the key of its replacement bid, and its answer is kept", async () => {
  const bidder = await person(w, "student", "active");
  const productId = await product(w, await person(w, "student", "active"));
  const path = `/auctions/${productId}/withdrawal`;
  await bid(bidder.caller, productId, 6_100);
  const key = randomUUID();
  const first = await send(path, key, { instead: 61_000 }, bidder);
  expect(first).toMatchObject({ status: 200, body: { bid: { number: 3, amount: 61_000 } } });
  const again = await send(path, key, { instead: 61_000 }, bidder);
  expect([again.body, again.headers.get("idempotency-replayed")]).toEqual([first.body, "true"]);
  // Without its answer, the bid itself is found by the key.
  await age(key, 61, ", status = null, body = null");
  const later = await send(path, key, { instead: 61_000 }, bidder);
  expect([later.body, later.headers.get("idempotency-replayed")]).toEqual([first.body, null]);
  expect(await bid(bidder.caller, productId, 610, key)).toMatchObject({ status: 200, body: { number: 3 } });
});

test("a withdrawal needs no key, and a key in its body is ignored", async () => {
  const bidder = await person(w, "student", "active");
  const productId = await product(w, await person(w, "student", "active"));
  const key = randomUUID();
  await bid(bidder.caller, productId, 6_100, key);
  const input = { instead: 61_000, idempotencyKey: key };
  expect(await send(`/auctions/${productId}/withdrawal`, null, input, bidder)).toMatchObject({ status: 200 });
});

test("an account has a daily limit of keys", async () => {
  const who = await person(w, "student", "active");
  for (let call = 0; call < 1999; call++) await w.services.limits.keptAnswer(who.id);
  expect((await send("/shortlist", randomUUID(), item("Law"), who)).status).toBe(200);
  const refused = await send("/shortlist", randomUUID(), item("Art"), who);
  expect(refused).toMatchObject({ status: 429, body: { code: "resource-exhausted" } });
  expect((await send("/shortlist", null, item("Art"), who)).status).toBe(200);
});

test("answers older than a day are deleted at night", async () => {
  const [old, young] = [randomUUID(), randomUUID()];
  for (const key of [old, young]) await send("/shortlist/x", key, null, student, "DELETE");
  await age(old, 24 * 3600 + 1);
  await removeKeptAnswers(w.services.database);
  const rows = await w.services.database.db.select({ key: keptAnswer.key }).from(keptAnswer);
  expect(rows).toContainEqual({ key: young });
  expect(rows).not.toContainEqual({ key: old });
});
