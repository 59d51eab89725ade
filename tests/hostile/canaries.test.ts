import { inspect } from "node:util";
import pg from "pg";
import { collectDefaultMetrics } from "prom-client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { createMetrics } from "#server/metrics.ts";
import { serveBuild } from "#server/pages.ts";
import { startTracing, stopTracing } from "#server/platform/tracing.ts";
import { openMailReceiver } from "#tests/fakes/mail-receiver.ts";
import { openTraceReceiver } from "#tests/fakes/trace-receiver.ts";
import { storedUser } from "#tests/support/factories.ts";
import { type RecordedAnswer, recordAnswers } from "#tests/support/recorded-answers.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { liveWithCanaries } from "./canary-life.ts";
import { canaries, identity, noteWord, planted } from "./canary-words.ts";

const answered: RecordedAnswer[] = [];
/** Messages between nodes, and events that streams sent to browsers. */
const events: string[] = [];

let w: Wayfare;
let life: Awaited<ReturnType<typeof liveWithCanaries>>;
let listener: pg.Client;
let receiver: Awaited<ReturnType<typeof openTraceReceiver>>;
let mailReceiver: Awaited<ReturnType<typeof openMailReceiver>>;
/** Output to the console apart from the log. */
const printed: unknown[] = [];
beforeAll(async () => {
  buildPages();
  for (const kind of ["log", "warn", "error", "info", "debug"] as const)
    vi.spyOn(console, kind).mockImplementation((...words) => void printed.push(words));
  mailReceiver = await openMailReceiver(planted.refusedEmail);
  receiver = await openTraceReceiver();
  const module = new URL("../../server/platform/open-telemetry.ts", import.meta.url).href;
  await startTracing({ url: receiver.url, sampler: "always_on", share: 1 }, module);
  w = await wayfare({
    variables: {
      BASE_URL: "https://wayfare.example",
      SMTP_URL: mailReceiver.url,
      ACCESS_LOG: "on",
    },
  });
  await serveBuild(w.app, "build", w.services);
  recordAnswers(w.app, answered);
  listener = new pg.Client(w.address);
  await listener.connect();
  listener.on("notification", ({ payload = "" }) => void events.push(payload));
  await listener.query("listen wayfare");
  life = await liveWithCanaries(w, { mails: mailReceiver.mails, events });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await listener.end();
  await w.stop();
  await stopTracing();
  receiver.close();
  await mailReceiver.close();
});

test("logs, metrics, traces, error reports and the access log contain no user input", async () => {
  const { id, secrets } = life;
  // Makes sure that the words were there to be found.
  expect(await storedUser(w, id)).toMatchObject({ email: planted.email, phone: planted.phone });
  expect(mailReceiver.mails.join()).toContain("Kanarie");
  expect(secrets.filter((secret) => secret.length >= 16).length).toBeGreaterThanOrEqual(4);
  const messages = new Set(w.log.map(({ msg }) => msg));
  for (const message of [
    "answered",
    "a procedure failed",
    "a request failed",
    "a job failed",
    "a page could not be made",
    "a browser's error",
    "bids could not be decided",
  ])
    expect(messages).toContain(message);

  await w.mailsAreDue();
  await until(() =>
    mailReceiver.mails.some((mail) => mail.includes("your application") || mail.includes("Kanarie Studies")),
  );
  const registry = createMetrics(w.services);
  collectDefaultMetrics({ register: registry });
  const metrics = await registry.metrics();
  await stopTracing();
  expect(receiver.spans().length).toBeGreaterThan(100);
  const outputs = { log: w.log, metrics, traces: receiver.texts, printed };
  for (const [name, output] of Object.entries(outputs)) {
    const lines = inspect(output, { depth: null, maxArrayLength: null, maxStringLength: null })
      .toLowerCase()
      .split("\n");
    for (const canary of [...canaries, ...secrets.filter((secret) => secret.length >= 16)])
      expect(
        lines.filter((line) => line.includes(canary.toLowerCase())),
        `${canary} in ${name}`,
      ).toEqual([]);
  }
});

const holding = (text: string) =>
  identity.filter((canary) => text.toLowerCase().includes(canary.toLowerCase()));

test("errors, addresses, mails, events, caches and the HTML of pages contain no identity details", () => {
  // Makes sure that the words were there to be found, and that only the permitted calls answered them.
  const identityAnswers = answered.filter(({ text }) => holding(text).length > 0);
  const showing = new Set(identityAnswers.map(({ path }) => path.split("?")[0]));
  expect
    .soft(showing)
    .toEqual(new Set(["/rpc/conversations/messages", "/rpc/profile/mine", "/rpc/students/identity"]));
  expect(events.length).toBeGreaterThan(10);
  expect(mailReceiver.mails.length).toBeGreaterThan(5);
  const html = answered.filter(({ type }) => type.startsWith("text/html"));
  expect(html.filter(({ status }) => status === 200).length).toBeGreaterThan(8);
  expect(answered.filter(({ status }) => status >= 400).length).toBeGreaterThan(10);

  const places: Record<string, readonly string[]> = {
    errors: answered.flatMap(({ status, text }) => (status >= 400 ? [text] : [])),
    addresses: answered.flatMap(({ path, location }) => [path, location]),
    mails: mailReceiver.mails,
    events,
    "HTML of pages": html.map(({ text }) => text),
  };
  for (const [name, texts] of Object.entries(places))
    expect.soft([name, [...new Set(texts.flatMap(holding))]]).toEqual([name, []]);
  // Browsers and proxies must not cache the answers that contain them.
  for (const { path, caching } of identityAnswers)
    expect.soft([path, caching]).toEqual([path, expect.stringContaining("no-store")]);
});

test("notes of staff only leave the server in answers to calls that read notes, for their readers", () => {
  const has = (text: string) => text.toLowerCase().includes(noteWord);
  const showing = answered.filter(({ text, status }) => status < 400 && has(text));
  expect(new Set(showing.map(({ path }) => path))).toEqual(
    new Set(["/rpc/notes/ofStudent", "/rpc/notes/ofApplication"]),
  );
  const refusals = answered.filter(({ status }) => status >= 400).map(({ text }) => text);
  expect([...refusals, ...mailReceiver.mails, ...events].filter(has)).toEqual([]);
});
