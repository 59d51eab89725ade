import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { recordBackup } from "#server/backup/create-backup.ts";
import { openDatabase } from "#server/platform/database.ts";
import { ownerOf } from "#tests/support/backups.ts";
import { freshDatabase, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { createMetrics, serveMetrics } from "./metrics.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { METRICS_PORT: "9464" } });
});
afterAll(() => w.stop());

const scrape = () => createMetrics(w.services).metrics();
const json = { "content-type": "application/json", "x-csrf-token": "orpc" };
const call = (path: string) => w.app.request(path, { method: "POST", headers: json, body: "{}" });
/** Returns the value of one line; 0 if it is missing. */
const valueOf = (text: string, line: string) =>
  Number(
    text
      .split("\n")
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length + 1) ?? 0,
  );
const countOf = (method: string, route: string, status: number) =>
  `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

test("requests are counted by procedure, route and status", async () => {
  const before = await scrape();
  await call("/rpc/account/me");
  await call("/rpc/account/me");
  await call("/rpc/students/list");
  await w.app.request("/healthz");
  const after = await scrape();
  const more = (line: string) => valueOf(after, line) - valueOf(before, line);
  expect(more(countOf("POST", "/rpc/account/me", 200))).toBe(2);
  expect(more(countOf("POST", "/rpc/students/list", 401))).toBe(1);
  expect(more(countOf("GET", "/healthz", 200))).toBe(1);
});

test("the number of labels is bounded and none holds a requested path, for any request", async () => {
  const secret = randomUUID();
  const ways = [`/rpc/${secret}`, `/rpc/account/m%65?${secret}`, `/${secret}`, `/pictures/${secret}/640.jpg`];
  for (const way of ways) await call(way);
  for (const way of ways) await w.app.request(way, { headers: { "x-request-id": secret } });
  const before = (await scrape()).split("\n").length;
  for (let at = 0; at < 50; at++) {
    await call(`/rpc/account/${secret}${at}`);
    await w.app.request(`/files/documents/${secret}${at}?signature=${secret}`);
    await w.app.request(`/${secret}${at}`);
  }
  const text = await scrape();
  expect(text).not.toContain(secret);
  // The responses of /files add new lines.
  expect(text.split("\n").length).toBeLessThan(before + 20);
});

test("counts failed jobs by queue", async () => {
  const { pool } = w.services.database;
  await pool.query(
    `insert into jobs.job (name, data, state, start_after) values
       ('mail', '{}', 'failed', now()), ('tidy-up', null, 'failed', now()), ('tidy-up', null, 'failed', now())`,
  );
  const text = await scrape();
  expect(valueOf(text, 'wayfare_jobs{queue="mail",state="failed"}')).toBe(1);
  expect(valueOf(text, 'wayfare_jobs{queue="tidy-up",state="failed"}')).toBe(2);
});

test("measures how long an unsettled auction has been over", async () => {
  // No server runs on this database.
  const fresh = await freshDatabase();
  const database = openDatabase(fresh.address, () => {});
  onTestFinished(async () => {
    await database.close();
    await fresh.drop();
  });
  const lag = async () =>
    valueOf(await createMetrics({ ...w.services, database }).metrics(), "wayfare_settle_lag_seconds");
  expect(await lag()).toBe(0);
  const offer = `
    with added as (
      insert into auction_product (id, product_name, description, starting_bid, category, subcategory, grade, end_date)
      values (gen_random_uuid(), 'Desk', 'Walnut', 100, 'home', 'Furniture', 'Grade A', now() + $1::interval) returning *)
    insert into auction_bidding (product_id, ends_at, price, category, subcategory, grade)
    select id, end_date, starting_bid, category, subcategory, grade from added`;
  await database.pool.query(offer, ["1 hour"]);
  expect(await lag()).toBe(0);
  await database.pool.query(offer, ["-90 seconds"]);
  expect(await lag()).toBeGreaterThanOrEqual(90);
});

test("leaves out the database's figures while the database is away or hangs, and keeps the process's own", async () => {
  const { database } = w.services;
  const away = createMetrics(w.services);
  const isComplete = async () => {
    const text = await away.metrics();
    expect(text).toContain("wayfare_live_streams 0");
    expect(text).toContain(`wayfare_build_info{version="0.1.0",node="${process.version}"} 1`);
    return [valueOf(text, "wayfare_database_up"), /^wayfare_settle_lag_seconds \d/m.test(text)];
  };
  expect(await isComplete()).toEqual([1, true]);
  database.sockets.refuse("gone");
  onTestFinished(() => database.sockets.allow());
  expect(await isComplete()).toEqual([0, false]);
  database.sockets.allow();
  const silent = createMetrics({
    ...w.services,
    database: {
      ...database,
      pool: Object.assign(Object.create(database.pool), { query: () => new Promise(() => {}) }),
    },
  });
  const text = await silent.metrics();
  expect(valueOf(text, "wayfare_database_up")).toBe(0);
  expect(text).toContain("wayfare_database_connections{");
  expect(await isComplete()).toEqual([1, true]);
});

test("measures the age of the last backup, once there is one", async () => {
  expect(await scrape()).not.toMatch(/^wayfare_backup_age_seconds/m);
  await recordBackup(ownerOf(w), { rows: 1, files: 0, missing: 0, auditHead: null });
  expect(await scrape()).toMatch(/^wayfare_backup_age_seconds \d/m);
});

test("serves the metrics on a separate port, with the process's own figures", async () => {
  const server = serveMetrics(w.services).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=/);
  const text = await response.text();
  expect(text).toContain("nodejs_eventloop_lag_p99_seconds");
  expect(text).toContain('wayfare_database_connections{pool="bids",state="waiting"} 0');
  expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/`)).url).toMatch(/\/metrics$/);
});

test("logs each request with its route and id, but no personal data, if ACCESS_LOG is on", async () => {
  const logging = await wayfare({ variables: { ACCESS_LOG: "on" }, on: w.address });
  onTestFinished(() => logging.stop());
  const secret = randomUUID();
  const answer = await logging.app.request(`/files/documents/${secret}?signature=${secret}`);
  const lines = logging.log.filter(({ msg }) => msg === "answered");
  expect(lines).toEqual([
    expect.objectContaining({
      method: "GET",
      route: "/files/documents/:id",
      status: answer.status,
      requestId: answer.headers.get("x-request-id"),
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain(secret);
  await w.app.request("/healthz");
  expect(w.log.filter(({ msg }) => msg === "answered")).toEqual([]);
});
