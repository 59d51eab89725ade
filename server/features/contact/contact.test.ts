import { afterAll, beforeAll, expect, test } from "vitest";
import { Caller } from "#tests/support/caller.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { writtenMails } from "#tests/support/written-mails.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { CONTACT_EMAIL: "desk@example.org" } });
});
afterAll(() => w.stop());

let host = 0;
/** Returns an address in a network of its own, so that tests don't share limits. */
const freshAddress = () => `10.0.${++host}.1`;
const ada = { name: " Ada \r\n Obi ", email: " ada@example.org ", message: "First line.\n<b>Second</b>" };
const send = (input: object, address = freshAddress()) =>
  new Caller(w.app, address).call("contact.send", { ...ada, ...input });

const mails = () => writtenMails(w.environment.dataDir);
const mailWith = (text: string) => until(async () => (await mails()).find((mail) => mail.includes(text)));

test("a message reaches the consultancy, and a reply its sender", async () => {
  expect(await send({})).toMatchObject({ status: 200, body: { done: true } });
  const mail = await mailWith("Ada Obi");
  expect(mail).toMatch(/^To: desk@example\.org\r?$/m);
  expect(mail).toMatch(/^Reply-To: ada@example\.org\r?$/m);
  expect(mail).toContain("First line.");
  // Typed text never becomes markup.
  expect(mail).toContain("&lt;b&gt;Second&lt;/b&gt;");
});

test("missing fields and impossible addresses are refused by field", async () => {
  expect(await send({ message: " " })).toMatchObject({
    status: 422,
    code: "form/incomplete",
    message: "Please enter your message.",
  });
  expect(await send({ email: "ada@example.org\r\nBcc: all@example.org" })).toMatchObject({
    status: 422,
    code: "form/incomplete",
  });
  expect(await send({ message: "x".repeat(5000) })).toMatchObject({ code: "form/incomplete" });
});

test("a bot that fills in the hidden field gets the same answer, but sends no mail", async () => {
  const filled = await send({ message: "Cheap watches", website: "https://watches.example" });
  expect(filled).toMatchObject({ status: 200, body: { done: true } });
  // The later message has arrived, so an earlier one's job would have run as well.
  await send({ message: "An honest question" });
  await mailWith("An honest question");
  expect((await mails()).join("\n")).not.toContain("Cheap watches");
});

test("allows five messages an hour from one address, and still allows others", async () => {
  const address = freshAddress();
  const answers = await Promise.all(Array.from({ length: 8 }, () => send({}, address)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = answers.filter(({ code }) => code === "resource-exhausted");
  expect(refused).toHaveLength(3);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await send({})).status).toBe(200);
});

test("allows twenty messages an hour from one network, and still allows others", async () => {
  const near = (at: number) => `203.0.113.${at}`;
  const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => send({}, near(at))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(answers.filter(({ code }) => code === "resource-exhausted")).toHaveLength(4);
  const subnets = await Promise.all(
    Array.from({ length: 24 }, (_, at) => send({}, `2001:db8:7:${at.toString(16)}::1`)),
  );
  expect(subnets.filter(({ status }) => status === 200)).toHaveLength(20);
  expect((await send({})).status).toBe(200);
});

test("beyond sixty messages an hour, mails are delayed and none is refused", async () => {
  const answers = await Promise.all(Array.from({ length: 70 }, () => send({})));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await send({ message: "The last one today" })).status).toBe(200);
  const { rows } = await w.services.database.pool.query<{ later: boolean }>(
    `select start_after > now() + interval '30 seconds' as later from jobs.job
     where data::text like '%The last one today%'`,
  );
  expect(rows).toEqual([{ later: true }]);
});
