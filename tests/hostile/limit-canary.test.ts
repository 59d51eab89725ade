import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { notifyOutbid } from "#server/features/auctions/bidding/outbid.ts";
import { settleDue } from "#server/features/auctions/settlement/closer.ts";
import { serveBuild } from "#server/pages.ts";
import { contractProcedures } from "#tests/access/input-fields.ts";
import { openMailReceiver } from "#tests/fakes/mail-receiver.ts";
import { type FakeBrowser, openPushService, type PushService } from "#tests/fakes/push-service.ts";
import { bid, bidUpTo, endAt, product, storedProduct } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { ownData } from "#tests/support/own-data.ts";
import { pushesAreDone, pushesAreDue, subscribedBrowser } from "#tests/support/pushes.ts";
import { follow, type RecordedAnswer, recordAnswers } from "#tests/support/recorded-answers.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { received, TestWebhook } from "#tests/support/webhooks.ts";
import { inputAbout } from "./canary-life.ts";

/** Amounts that no other number contains: a limit that is never used up, and the limit that its owner moved it to. */
const [first, moved] = [7_318_529, 9_536_417];
const spellings = [first, moved].flatMap((cents) => {
  const [rand, rest] = [Math.floor(cents / 100), String(cents % 100)];
  const grouped = rand.toLocaleString("en-ZA").replaceAll(/\D/g, ",");
  return [String(cents), `${rand}.${rest}`, `${grouped}.${rest}`, grouped, grouped.replace(",", " ")];
});
const holding = (text: string) => spellings.filter((spelling) => text.includes(spelling));

/** The answers of a node at which the owner of the limit only loads pages, and the events that it sent to browsers. */
const answered: RecordedAnswer[] = [];
const events: string[] = [];
/** Messages between nodes. */
const messages: string[] = [];

let w: Wayfare;
/** The node that the owner of the limit uses. */
let owners: Wayfare;
let mailReceiver: Awaited<ReturnType<typeof openMailReceiver>>;
let listener: pg.Client;
let pushService: PushService;
let [ada, bea, admin, seller]: [Person, Person, Person, Person] = [] as never;
let browser: FakeBrowser;
let webhook: TestWebhook;
let id: string;

beforeAll(async () => {
  buildPages();
  mailReceiver = await openMailReceiver("nobody@example.org");
  pushService = await openPushService();
  const variables = {
    SMTP_URL: mailReceiver.url,
    ACCESS_LOG: "on",
    WEBHOOKS_ALLOW_PRIVATE: "on",
  };
  w = await wayfare({ variables });
  owners = await wayfare({ variables, on: w.address });
  await serveBuild(w.app, "build", w.services);
  recordAnswers(w.app, answered);
  listener = new pg.Client(w.address);
  await listener.connect();
  listener.on("notification", ({ payload = "" }) => void messages.push(payload));
  await listener.query("listen wayfare");
  ada = await person(owners, "student", "active");
  [bea, admin, seller] = [
    await person(w, "student", "active"),
    await person(w, "admin", "active"),
    await person(w, "agent", "approved"),
  ];
  browser = await subscribedBrowser(w, bea, pushService);
  webhook = await TestWebhook.add(w, seller, ["auction.sold"]);
  id = await product(w, seller, { startingBid: 15_000 });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await listener.end();
  await owners.stop();
  await w.stop();
  await pushService.close();
  await mailReceiver.close();
  await webhook.receiver.close();
});

const pages = () => [`/product/${id}`, "/auctions", "/my-bids", `/auctions/products/${id}`];

/** Loads each page as the owner of the limit, and immediately after as the others, who share the cached HTML. */
async function readAfterOwner(): Promise<void> {
  const callers = [ada, bea, seller, admin].map(({ caller }) => caller.on(w.app));
  for (const page of pages())
    for (const caller of [...callers, new Caller(w.app)]) await caller.request(page, {});
}

/** Calls every procedure that only reads, and everything else that shows the item, as this caller. */
async function readEverything(who: Caller, userId: string | null): Promise<void> {
  for (const { path, reads } of contractProcedures())
    if (reads) await who.call(path, inputAbout(path, { productId: id, productIds: id }));
  await who.call("auctions.cards", { productIds: [id] });
  for (const page of pages()) await who.request(page, {});
  await who.request(`/auctions/products/${id}/history`, {});
  if (userId !== null) events.push(await ownData(w, userId));
}

async function readByAll(): Promise<void> {
  await readAfterOwner();
  for (const { caller, id: userId } of [seller, bea, admin]) await readEverything(caller, userId);
  await readEverything(new Caller(w.app), null);
}

/** Returns every row of every table as text, without the table and the column that store limits. */
async function rowsOfTables(): Promise<string> {
  const { pool } = w.services.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'jobs') and tablename <> 'auction_limit'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(
      `select (to_jsonb(t) - 'leader_limit')::text as row from ${name} t`,
    );
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join("\n");
}

test("a limit that isn't used up appears in no answer, event, message, log, page, mail, webhook, push, download or row but its owner's", async () => {
  const topics = ["account", "notifications", `product:${id}`, `card:${id}`];
  for (const { caller } of [seller, bea, admin]) await follow(caller, events, topics);
  await follow(new Caller(w.app), events, [`product:${id}`, `card:${id}`]);
  await bid(bea.caller, id, 200);
  await bidUpTo(ada.caller, id, first / 100);
  await notifyOutbid(w.services, [id]);
  await bid(bea.caller, id, 400);
  await bidUpTo(bea.caller, id, 500);
  await bidUpTo(ada.caller, id, moved / 100);
  const voided = { productId: id, number: 1, reason: "A test of limits." };
  expect((await admin.caller.call("sales.voidBids", voided)).status).toBe(200);
  await bid(bea.caller, id, 600);
  expect(await storedProduct(w, id)).toMatchObject({ highestBidderId: ada.id, leaderLimit: moved });
  await readByAll();
  await endAt(w, id, new Date(Date.now() - 1));
  await settleDue(w.services);
  await until(async () => (await storedProduct(w, id)).state === "sold");
  await until(() => events.some((event) => event.includes("sold")));
  await readByAll();
  await pushesAreDue(w, bea);
  await pushesAreDone(w, bea);
  await received(webhook.receiver, 1);
  await w.mailsAreDue();
  await until(() => mailReceiver.mails.some((mail) => mail.includes(bea.email)));

  // Makes sure that the item was there to be seen, and that its owner knows the limit.
  const html = answered.filter(({ type, status }) => type.startsWith("text/html") && status === 200);
  expect(html.some(({ text }) => text.includes("R600.00"))).toBe(true);
  expect(answered.some(({ path, text }) => path.endsWith("/history") && text.includes("60000"))).toBe(true);
  expect(browser.texts.length).toBeGreaterThan(0);
  const { body } = await ada.caller.call("auctions.relation", { productId: id });
  expect(holding(JSON.stringify(body))).not.toEqual([]);
  expect(holding(await ownData(w, ada.id))).not.toEqual([]);

  const places: Record<string, readonly string[]> = {
    answers: answered.flatMap(({ path, location, text }) => [path, location, text]),
    "events and downloads": events,
    messages,
    logs: [JSON.stringify(w.log), JSON.stringify(owners.log)],
    mails: mailReceiver.mails,
    webhooks: webhook.receiver.received.map((each) => JSON.stringify(each)),
    pushes: browser.texts,
    rows: [await rowsOfTables()],
  };
  for (const [name, texts] of Object.entries(places)) {
    expect.soft(texts.length, name).toBeGreaterThan(0);
    expect.soft([name, [...new Set(texts.flatMap(holding))]]).toEqual([name, []]);
  }
});
