import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Caller } from "#tests/caller.ts";
import { until, type Wayfare, wayfare } from "#tests/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { CONTACT_EMAIL: "desk@example.org" } });
});
afterAll(() => w.stop());

let host = 0;
const freshAddress = () => `198.51.100.${++host}`;
const ada = { name: " Ada \r\n Obi ", email: " ada@example.org ", message: "First line.\n<b>Second</b>" };
const send = (input: object, address = freshAddress()) =>
  new Caller(w.app, address).call("contact.send", { ...ada, ...input });

const folder = () => join(w.environment.dataDir, "mail");
async function letters(): Promise<string[]> {
  const names = (await readdir(folder()).catch(() => [])).filter((name) => name.endsWith(".eml"));
  return await Promise.all(names.map((name) => readFile(join(folder(), name), "utf8")));
}
const letterWith = (text: string) =>
  until(async () => (await letters()).find((letter) => letter.includes(text)));

test("a message reaches the consultancy, and a reply its sender", async () => {
  expect(await send({})).toMatchObject({ status: 200, body: { done: true } });
  const letter = await letterWith("Ada Obi");
  expect(letter).toMatch(/^To: desk@example\.org\r?$/m);
  expect(letter).toMatch(/^Reply-To: ada@example\.org\r?$/m);
  expect(letter).toContain("First line.");
  // What was typed is text, never markup.
  expect(letter).toContain("&lt;b&gt;Second&lt;/b&gt;");
});

test("what is missing or can't be an address is told by field", async () => {
  expect(await send({ message: " " })).toMatchObject({
    status: 422,
    code: "form/incomplete",
    message: "Please enter your message.",
  });
  expect(await send({ email: "ada@example.org\r\nBcc: all@example.org" })).toMatchObject({
    status: 422,
    code: "auth/invalid-email",
  });
  expect(await send({ message: "x".repeat(5000) })).toMatchObject({ code: "form/incomplete" });
});

test("a program that fills in the hidden field is answered alike, and mails nothing", async () => {
  const filled = await send({ message: "Cheap watches", website: "https://watches.example" });
  expect(filled).toMatchObject({ status: 200, body: { done: true } });
  // A later message is there: the job of an earlier one would have been worked as well.
  await send({ message: "An honest question" });
  await letterWith("An honest question");
  expect((await letters()).join("\n")).not.toContain("Cheap watches");
});

test("five messages an hour from one address; others may go on", async () => {
  const address = freshAddress();
  const answers = await Promise.all(Array.from({ length: 8 }, () => send({}, address)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = answers.filter(({ code }) => code === "resource-exhausted");
  expect(refused).toHaveLength(3);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await send({})).status).toBe(200);
});

test("sixty messages an hour from all addresses together", async () => {
  const answers = await Promise.all(Array.from({ length: 70 }, () => send({})));
  const refused = answers.filter(({ code }) => code === "resource-exhausted");
  expect(refused.length).toBeGreaterThanOrEqual(10);
  expect(answers.length - refused.length).toBeLessThanOrEqual(60);
});
