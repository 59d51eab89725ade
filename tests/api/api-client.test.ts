import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { assign as assignTo, submit } from "#tests/support/applications.ts";
import { bid, product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { received, TestWebhook } from "#tests/support/webhooks.ts";
import { ApiClient } from "./client.ts";

const listItems = z.array(z.object({ id: z.string(), version: z.number().optional() }));

let w: Wayfare;
let agent: Person;
let client: ApiClient;
beforeAll(async () => {
  w = await wayfare({ variables: { WEBHOOKS_ALLOW_PRIVATE: "on" } });
  agent = await person(w, "agent", "approved");
  const scopes = [
    "students:read",
    "applications:read",
    "applications:write",
    "auctions:read",
    "auctions:write",
  ];
  const { body } = await agent.caller.call("apiKeys.create", { name: "CRM", scopes, days: 30 });
  const program = new Caller(w.app);
  client = await ApiClient.open(`${w.environment.baseUrl}/api/openapi.json`, Object(body).key, (url, init) =>
    program.request(url.slice(w.environment.baseUrl.length) || "/", init),
  );
});
afterAll(() => w.stop());

test("a client that knows only the document lists students page by page", async () => {
  const students = await Promise.all(Array.from({ length: 7 }, () => person(w, "student", "active")));
  const allIds: string[] = [];
  let pages = 0;
  for await (const page of client.pages("students.list", { limit: 3, sort: "email" })) {
    pages++;
    const ids = listItems.parse(page["students"]).map(({ id }) => id);
    expect(ids.length).toBeLessThanOrEqual(3);
    allIds.push(...ids);
  }
  expect(pages).toBe(Math.ceil(allIds.length / 3));
  expect(new Set(allIds).size).toBe(allIds.length);
  expect(allIds).toEqual(expect.arrayContaining(students.map(({ id }) => id)));
});

test("moves an application", async () => {
  const student = await person(w, "student", "active");
  await assignTo(w, student, agent);
  await submit(student);
  const read = async () =>
    (await client.call("applications.ofStudent", { studentId: student.id }))["applications"];
  const [application] = listItems.parse(await read());
  const { id: applicationId = "", version = 0 } = application ?? {};
  const step = { applicationId, version, to: "inReview", note: "On it." };
  expect(await client.call("applications.move", step)).toEqual({ done: true });
  expect(await read()).toMatchObject([{ state: "inReview", note: "On it." }]);
  // The application has changed in the meantime.
  await expect(client.call("applications.move", step)).rejects.toMatchObject({
    status: 409,
    code: "failed-precondition",
  });
});

test("places a bid, and learns the minimum bid", async () => {
  const productId = await product(w, await person(w, "student", "active"));
  await expect(client.call("auctions.bid", { productId, amount: 100 })).rejects.toMatchObject({
    status: 422,
    code: "out-of-range",
    least: expect.any(Number),
  });
  expect(await client.call("auctions.bid", { productId, amount: 50_000 })).toMatchObject({
    number: 1,
    amount: 50_000,
  });
  const { bids } = await client.call("auctions.myBids");
  expect(bids).toContainEqual(expect.objectContaining({ productId, position: "winning" }));
});

test("learns by a signed webhook that it was outbid, and looks up the price", async () => {
  const { receiver, secret } = await TestWebhook.add(w, agent, ["auction.outbid"]);
  const productId = await product(w, await person(w, "student", "active"));
  await client.call("auctions.bid", { productId, amount: 50_000 });
  await bid((await person(w, "student", "active")).caller, productId, 600);
  const [message] = await received(receiver, 1);
  if (!message) throw new Error("nothing came");
  const { type, data } = client.readMessage(secret, message);
  expect({ type, data }).toEqual({ type: "auction.outbid", data: { productId } });
  const { bids } = await client.call("auctions.bids", { productId: data["productId"] ?? "" });
  expect(bids).toMatchObject([{ amount: 60_000 }, { amount: 50_000 }]);

  const forged = { ...message, body: message.body.replace(productId, crypto.randomUUID()) };
  expect(() => client.readMessage(secret, forged)).toThrow("forged");
  expect(() => client.readMessage(`whsec_${btoa("another secret")}`, message)).toThrow("forged");
  vi.setSystemTime(Date.now() + 600_000);
  expect(() => client.readMessage(secret, message)).toThrow("old");
  vi.useRealTimers();
  await receiver.close();
});
