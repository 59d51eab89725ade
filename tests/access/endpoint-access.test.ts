import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseTopics } from "#protocol/live-topic.ts";
import { pictureAddress } from "#protocol/picture-files.ts";
import { liveChannel } from "#server/features/index.ts";
import { product, remove } from "#tests/support/auctions.ts";
import type { Caller } from "#tests/support/caller.ts";
import { textIn } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { createProduct, productForm, readyPicture } from "#tests/support/pictures.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { endpoints } from "./endpoints.ts";
import { type Relation, relations, type Thing, things, whoIs } from "./object-world.ts";
import { stored } from "./stored.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

test("every endpoint is listed", () => {
  const routes = w.app.routes.map(({ method, path }) => `${method} ${path}`);
  const routesOfApp = new Set(routes.filter((route) => route !== "ALL /*"));
  const advice = "add a line to tests/access/endpoints.ts, and what it names to the tests below";
  expect(
    [...routesOfApp].filter((route) => !(route in endpoints)),
    advice,
  ).toEqual([]);
  expect(Object.keys(endpoints).filter((route) => !routesOfApp.has(route))).toEqual([]);
});

type EndpointAnswer = { status: number; body: string; type: string | null };
async function get(caller: Caller, path: string): Promise<EndpointAnswer> {
  const response = await caller.request(path, {});
  return { status: response.status, body: await response.text(), type: response.headers.get("content-type") };
}

/** Expects every other kind of caller to be refused at these addresses in the same way, with nothing written. */
async function expectAlike(
  thing: Thing,
  but: readonly Relation[],
  paths: (caller: Caller) => Promise<string[]>,
) {
  for (const relation of relations.filter((each) => !but.includes(each))) {
    const caller = await whoIs(w, relation, thing);
    if (caller === null) continue;
    const addresses = await paths(caller);
    await get(caller, addresses[0] ?? "");
    const before = await stored(w);
    const answers: EndpointAnswer[] = [];
    for (const address of addresses) answers.push(await get(caller, address));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size, relation).toBe(1);
    expect(answers[0]?.status, relation).toBe(relation === "visitor" || relation === "disabled" ? 401 : 404);
    for (const word of thing.words) expect(JSON.stringify(answers)).not.toContain(word);
    expect(await stored(w), relation).toEqual(before);
  }
}

const urlIn = (body: unknown) => textIn(body, "url");
const malformed = ["x", "..%2f..%2fetc%2fpasswd", "%27%20or%201=1", "0", "%00", "x".repeat(300)];

describe("a link to a document", () => {
  test("works for nobody else, and a forged one for nobody", async () => {
    const thing: Thing = await things.document(w);
    const { owner } = thing;
    if (!owner) throw new Error("whose is it?");
    const link = async (caller: Caller, documentId: unknown) =>
      urlIn((await caller.call("documents.link", { documentId, mode: "download" })).body);
    const stolen = await link(owner.caller, thing.id);
    expect((await get(owner.caller, stolen)).status).toBe(200);
    const other = await things.document(w);
    // Each link is the caller's own, but with another's id.
    const own = await link(other.owner?.caller ?? owner.caller, other.id);
    const query = own.split("?")[1];
    await expectAlike(thing, ["owner"], async () => [
      stolen,
      own,
      ...[thing.id, randomUUID(), ...malformed].map((id) => `/files/documents/${id}?${query}`),
    ]);
    const swapped = own.replace(String(other.id), String(thing.id));
    expect((await get(other.owner?.caller ?? owner.caller, swapped)).status).toBe(404);
  });
});

describe("a link to a file of a message", () => {
  test("works for nobody else, and a forged one for nobody", async () => {
    const [thing, other] = [await things.messageFile(w), await things.messageFile(w)];
    const { owner } = thing;
    if (!owner || !other.owner) throw new Error("whose is it?");
    const link = async (caller: Caller, fileId: unknown) =>
      urlIn((await caller.call("conversations.fileLink", { fileId, mode: "download" })).body);
    const stolen = await link(owner.caller, thing.id);
    expect((await get(owner.caller, stolen)).status).toBe(200);
    const own = await link(other.owner.caller, other.id);
    const query = own.split("?")[1];
    await expectAlike(thing, ["owner"], async () => [
      stolen,
      own,
      ...[thing.id, randomUUID(), ...malformed].map((id) => `/files/messages/${id}?${query}`),
    ]);
    const swapped = own.replace(String(other.id), String(thing.id));
    expect((await get(other.owner.caller, swapped)).status).toBe(404);
  });
});

describe("a link to a student's file", () => {
  test("works for nobody else, and a forged one for nobody", async () => {
    const thing = await things.student(w);
    const { caller } = thing.assignedAgent;
    const stolen = urlIn((await caller.call("students.fileLink", { studentId: thing.id })).body);
    expect((await caller.request(stolen, {})).status).toBe(200);
    const query = stolen.split("?")[1];
    await expectAlike(thing, ["assignedAgent"], async () => [
      stolen,
      ...[randomUUID(), ...malformed].map((id) => `/files/students/${id}?${query}`),
    ]);
    const other = await things.student(w);
    expect((await get(caller, stolen.replace(thing.id, other.id))).status).toBe(404);
  });
});

test("a link to one's own data works for nobody else, and a forged one for nobody", async () => {
  const thing = await things.student(w);
  const stolen = urlIn((await thing.owner.caller.call("account.dataLink")).body);
  expect((await thing.owner.caller.request(stolen, {})).status).toBe(200);
  await expectAlike(thing, ["owner"], async () => [
    stolen,
    ...malformed.map((signature) => stolen.replace(/signature=.*/, `signature=${signature}`)),
    stolen.split("?")[0] ?? "",
  ]);
});

test("a picture of no item, or of a removed one, looks missing to everyone, including its owner", async () => {
  const owner = await person(w, "student", "active");
  const [unused, used] = [await readyPicture(owner), await readyPicture(owner)];
  const { body } = await createProduct(owner, productForm({ images: [used] }));
  const address = (id: string) => pictureAddress(id, 320, "jpg");
  expect((await owner.caller.request(address(used), {})).status).toBe(200);
  await remove(owner, textIn(body, "id"));
  const thing: Thing = { id: unused, owner, words: [] };
  for (const relation of relations) {
    const caller = await whoIs(w, relation, thing);
    if (caller === null) continue;
    const answers = [];
    for (const id of [used, unused, randomUUID(), ...malformed]) answers.push(await get(caller, address(id)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size, relation).toBe(1);
    expect(answers[0]?.status).toBe(404);
  }
});

test("a removed item looks missing to everyone, including its seller", async () => {
  const owner = await person(w, "student", "active");
  const id = await product(w, owner, { productName: "canary desk" });
  const address = (which: string) => `/auctions/products/${which}`;
  expect((await get(owner.caller, address(id))).status).toBe(200);
  await remove(owner, id);
  const missing = await get(owner.caller, address(randomUUID()));
  expect(missing.status).toBe(404);
  for (const which of [id, ...malformed]) expect(await get(owner.caller, address(which))).toEqual(missing);
  const history = (which: string) => get(owner.caller, `${address(which)}/history`);
  const missingHistory = await history(randomUUID());
  expect(missingHistory.status).toBe(404);
  for (const which of [id, ...malformed]) expect(await history(which)).toEqual(missingHistory);
});

test("the audit log's file is refused to everyone but admins, whatever the subject", async () => {
  const thing = await things.student(w);
  for (const relation of relations.filter((each) => each !== "admin")) {
    const caller = await whoIs(w, relation, thing);
    if (caller === null) continue;
    const answers = [];
    for (const subject of [thing.id, thing.owner.email, randomUUID(), "' or 1=1"])
      answers.push(await get(caller, `/files/audit.csv?${new URLSearchParams({ subject }).toString()}`));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size, relation).toBe(1);
    expect(answers[0]?.status).toBe(relation === "visitor" || relation === "disabled" ? 401 : 403);
  }
});

test("no topic can name another person's events", async () => {
  const { id } = await things.student(w);
  const viewer = await person(w, "student", "active");
  const words = ["account", "dashboard", "notifications", "students", "agents"];
  const crafted = words.flatMap((topic) => [`${topic}:${id}`, `${topic}/${id}`, `product:${topic}:${id}`]);
  expect(crafted.flatMap((topic) => parseTopics(topic))).toEqual([]);
  const session = await w.services.sessions.check(viewer.caller.cookie);
  const channels = parseTopics(words.join(",")).map((topic) => liveChannel(topic, session));
  expect(channels).toHaveLength(words.length);
  expect(channels.filter((channel) => channel !== null && !channel.includes(viewer.id))).toEqual([]);
  expect((await w.app.request(`/live?topics=${crafted.join(",")}`)).status).toBe(401);
});

test("a forged token of an unsubscribe link does nothing, and a valid one only affects its own person", async () => {
  const [one, other] = [await things.student(w), await things.student(w)];
  const tokenOf = (userId: string) => {
    const link = w.services.unsubscribeLinks.make({ userId, kinds: ["applicationMoved"] });
    return new URL(link).searchParams.get("token") ?? "";
  };
  const send = async (token: string) => {
    const path = `/unsubscribe?${new URLSearchParams({ token }).toString()}`;
    const response = await w.app.request(path, { method: "POST" });
    return { status: response.status, body: await response.text() };
  };
  const [text, signature] = tokenOf(one.id).split(".");
  const [foreign] = tokenOf(other.id).split(".");
  const forged = [
    `${foreign}.${signature}`,
    `${text}.`,
    `${text}`,
    randomUUID(),
    "x",
    ".",
    `${text}.x`,
    "\0",
  ];
  const before = await stored(w);
  const answers = [];
  for (const token of forged) answers.push(await send(token));
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ status: 400, body: "This link doesn't work." })]),
  );
  expect(await stored(w)).toEqual(before);
  expect((await send(tokenOf(one.id))).status).toBe(200);
  const { rows } = await w.services.database.pool.query("select user_id from muted_mail");
  expect(rows).toEqual([{ user_id: one.id }]);
});
