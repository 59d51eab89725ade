import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createMetrics } from "#server/metrics.ts";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { browserErrorEndpoint } from "./browser-errors.ts";

const pageBuild = {
  scripts: new Set(["auctions-B1.js", "report-error-C2.js"]),
  build: "b1",
  routeOf: (path: string) => (path.startsWith("/product/") ? "/product/:productId" : "/*"),
};
let w: Wayfare;
async function start() {
  const started = await wayfare({ variables: { TRUST_PROXY: "1" } });
  started.app.post("/browser-errors", browserErrorEndpoint(started.services, pageBuild));
  return started;
}
beforeAll(async () => {
  w = await start();
});
afterAll(() => w.stop());

/** Each test has its own address. */
let address = "";
let tests = 0;
beforeEach(() => {
  address = `192.0.2.${++tests}`;
});

const failure = {
  name: "TypeError",
  places: ["auctions-B1.js:1:204"],
  script: "report-error-C2.js",
};
function report(body: unknown, headers: Record<string, string> = {}, to = w) {
  const text = JSON.stringify(body);
  return to.app.request("/browser-errors", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-length": String(text.length),
      "x-forwarded-for": address,
      ...headers,
    },
    body: text,
  });
}
const lines = () => w.log.filter(({ msg }) => msg === "a browser's error");

test("logs an error with its name and places, and counts it", async () => {
  // No other test reports an error of this name, so that its count is only this test's.
  const ours = { ...failure, name: "RangeError" };
  const answer = await report(ours, { referer: `http://localhost:3000/product/${randomUUID()}?x=1` });
  expect(answer.status).toBe(204);
  expect(lines().at(-1)).toMatchObject({
    level: 40,
    name: "RangeError",
    page: "/product/:productId",
    places: ["auctions-B1.js:1:204"],
    build: "b1",
    requestId: answer.headers.get("x-request-id"),
  });
  expect(await createMetrics(w.services).metrics()).toContain(
    'wayfare_browser_errors_total{name="RangeError"} 1',
  );
});

test("logs nothing of a report's own text", async () => {
  const secret = "Ama.Mensah";
  const before = w.log.length;
  const reports = [
    { ...failure, name: secret },
    { ...failure, code: secret },
    { ...failure, code: { [secret]: secret } },
    {
      ...failure,
      places: [`${secret}.js:1:1`, `auctions-B1.js:${secret}:1`, `auctions-B1.js:1:2:${secret}`],
    },
    { ...failure, script: secret },
    { ...failure, message: secret, [secret]: secret },
  ];
  for (const each of reports) {
    const headers = { referer: `https://x/${secret}?q=${secret}`, "user-agent": secret };
    expect((await report(each, headers)).status).toBe(204);
  }
  const lines = w.log.slice(before);
  expect(lines).toHaveLength(reports.length);
  expect(JSON.stringify(lines)).not.toContain(secret);
  expect(await createMetrics(w.services).metrics()).not.toContain(secret);
});

test("logs an error of an earlier build as one of another", async () => {
  await report({ ...failure, script: "report-error-A0.js", places: ["auctions-A0.js:1:1"] });
  expect(lines().at(-1)).toMatchObject({ build: "another", places: ["elsewhere"] });
});

test("logs a code of ours", async () => {
  await report({ ...failure, name: "ORPCError", code: "internal" });
  expect(lines().at(-1)).toMatchObject({ name: "ORPCError", code: "internal" });
});

test.each([
  ["of another site", failure, { origin: "https://evil.example" }, 403],
  ["of another type", failure, { "content-type": "text/plain" }, 415],
  ["too long", { ...failure, more: "x".repeat(5000) }, {}, 413],
  ["of another form", { name: 1 }, {}, 400],
  ["with too many places", { ...failure, places: Array(9).fill("a.js:1:1") }, {}, 400],
])("a report %s is refused", async (_, body, headers, status) => {
  const before = lines().length;
  expect((await report(body, headers)).status).toBe(status);
  expect(lines()).toHaveLength(before);
});

test("limits the reports of an address and of an account", async () => {
  const before = lines().length;
  for (let times = 0; times < 25; times++) await report(failure);
  expect(lines().length - before).toBe(20);
  expect((await report(failure)).status).toBe(429);
  const { caller } = await person(w, "student", "active");
  const answers: number[] = [];
  for (let times = 0; times < 21; times++)
    answers.push(
      (await report(failure, { cookie: caller.cookie, "x-forwarded-for": `198.51.100.${times}` })).status,
    );
  expect(answers.filter((status) => status === 204)).toHaveLength(20);
  expect(answers.at(-1)).toBe(429);
});

test("addresses that use up the shared limit don't silence others", async () => {
  // A separate server, because this uses up the limit that all addresses share, which the other tests need.
  const other = await start();
  const flood = async (from: string) => await report(failure, { "x-forwarded-for": from }, other);
  // One report of each address's twenty has its own limit; the others count against the three hundred of all addresses.
  for (let host = 0; host < 17; host++)
    await Promise.all(Array.from({ length: 20 }, () => flood(`203.0.113.${host}`)));
  expect((await flood("198.51.100.201")).status).toBe(204);
  expect((await flood("198.51.100.202")).status).toBe(204);
  expect((await flood("198.51.100.202")).status).toBe(429);
  await other.stop();
});
