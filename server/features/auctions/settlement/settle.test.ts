import { randomUUID } from "node:crypto";
import { and, desc, eq, ne } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NotificationKind } from "#domain/notification.ts";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { notificationMail } from "#server/features/notifications/mails.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { bid, endAt, product, storedProduct } from "#tests/support/auctions.ts";
import { textIn } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionBidding } from "../tables.ts";
import { settleDue } from "./closer.ts";
import { settle } from "./settle.ts";

let w: Wayfare;
let second: Wayfare;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

const student = () => person(w, "student", "active");
const past = () => new Date(Date.now() - 1000);
const settled = (id: string) =>
  until(async () => {
    const row = await storedProduct(w, id);
    return row.state !== "open" && row;
  });

/** Lists the notifications that a person got about a product. */
async function notificationsOf(who: Person, productId: string): Promise<NotificationKind[]> {
  const rows = await w.services.database.db
    .select({ kind: notification.kind, path: notification.path })
    .from(notification)
    .where(eq(notification.userId, who.id))
    .orderBy(notification.id);
  return rows.filter(({ path }) => path === `/product/${productId}`).map(({ kind }) => kind);
}

async function auditOf(productId: string) {
  const rows = await w.services.database.db
    .select({ detail: audit.detail })
    .from(audit)
    .where(eq(audit.action, "auction-settled"));
  return rows.map(({ detail }) => detail).filter((detail) => textIn(detail, "product") === productId);
}

async function disable(who: Person): Promise<void> {
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, who.id));
}

async function soldTo(...bidders: Person[]) {
  const seller = await student();
  const id = await product(w, seller, { productName: `Desk & <b>"chair"</b>` });
  for (const [at, { caller }] of bidders.entries())
    expect((await bid(caller, id, 150 + at * 10)).status).toBe(200);
  return { seller, id };
}

test("an auction is sold automatically at its end, and winner, seller and other bidders are notified once", async () => {
  const [ada, bea, cleo] = [await student(), await student(), await student()];
  const { seller, id } = await soldTo(ada, bea, cleo);
  const before = await w.services.products.read(id);
  await endAt(w, id, new Date(Date.now() + 300));
  expect(await settled(id)).toMatchObject({ state: "sold", winnerId: cleo.id, winningBid: 17_000 });
  expect(await notificationsOf(cleo, id)).toEqual(["auctionWon"]);
  expect(await notificationsOf(seller, id)).toEqual(["auctionSold"]);
  expect((await notificationsOf(ada, id)).filter((kind) => kind !== "outbid")).toEqual(["auctionLost"]);
  expect((await notificationsOf(bea, id)).filter((kind) => kind !== "outbid")).toEqual(["auctionLost"]);
  expect(await auditOf(id)).toEqual([{ product: id, outcome: "sold", winner: cleo.id, winningBid: "17000" }]);

  const sale = await until(async () => {
    const state = await second.services.products.read(id);
    return state?.state === "sold" && state;
  });
  expect(sale).toMatchObject({ winner: before?.leader, winningBid: 17_000 });
  // The version grows once for the moved end, and once for the sale.
  expect(sale.version).toBe((before?.version ?? 0) + 2);
  expect((await bid(ada.caller, id, 1000)).message).toBe("This auction has ended.");
});

test("the notification of the close replaces the outbid one in the bell", async () => {
  const [ada, bea] = [await student(), await student()];
  const { id } = await soldTo(ada, bea);
  await until(async () => (await notificationsOf(ada, id)).includes("outbid"));
  await endAt(w, id, past());
  await settled(id);
  expect(await notificationsOf(ada, id)).toEqual(["auctionLost"]);
});

/**
 * Returns the mail of a person's latest notification, except for an outbid one, which is mailed separately and may come
 * later.
 */
async function mailTo(who: Person) {
  const [last] = await w.services.database.db
    .select({ mailId: notification.mailId })
    .from(notification)
    .where(and(eq(notification.userId, who.id), ne(notification.kind, "outbid")))
    .orderBy(desc(notification.id))
    .limit(1);
  return await notificationMail.write(w.services, { mailId: last?.mailId ?? randomUUID() });
}

test("the mails say what happened, with the product's name as it was typed", async () => {
  const [ada, bea] = [await student(), await student()];
  const { seller, id } = await soldTo(ada, bea);
  await endAt(w, id, past());
  await settled(id);
  const link = `${w.environment.baseUrl}/product/${id}`;
  const name = `Desk & <b>"chair"</b>`;
  const mails = await Promise.all([bea, seller, ada].map(mailTo));
  expect(mails.map((mail) => [mail?.to, mail?.subject, mail?.link])).toEqual([
    [bea.email, `You won ${name}`, link],
    [seller.email, `Sold: ${name}`, link],
    [ada.email, `You didn't win ${name}`, link],
  ]);
  expect(mails.map((mail) => mail?.text.split("\n\n")[1])).toEqual([
    `You won ${name}. It's yours for R160.00. You'll find the seller's contact details on the item page.`,
    `Sold: ${name}. It sold for R160.00. You'll find the buyer's contact details on the item page.`,
    `You didn't win ${name}. It sold to another bidder for R160.00.`,
  ]);
  for (const mail of mails) expect(mail?.html).toContain("Desk &amp; &lt;b&gt;&quot;chair&quot;&lt;/b&gt;");
  await until(() =>
    [...w.log, ...second.log].some(({ to, subject }) => to === bea.email && subject === `You won ${name}`),
  );
});

test("an auction without bids is unsold, and the seller is notified", async () => {
  const seller = await person(w, "agent", "pending");
  const id = await product(w, seller);
  await endAt(w, id, past());
  expect(await settled(id)).toMatchObject({ state: "unsold", winnerId: null, winningBid: null });
  expect(await notificationsOf(seller, id)).toEqual(["auctionUnsold"]);
  expect((await mailTo(seller))?.subject).toBe("Not sold: Walnut writing desk");
});

test("a bidder who lost their account does not win and is not notified; the next bidder wins at their own bid", async () => {
  const [ada, bea, cleo] = [await student(), await student(), await student()];
  const { seller, id } = await soldTo(ada, bea, cleo);
  await Promise.all([disable(ada), disable(cleo)]);
  await endAt(w, id, past());
  expect(await settled(id)).toMatchObject({ state: "sold", winnerId: bea.id, winningBid: 16_000 });
  expect(await notificationsOf(bea, id)).toContain("auctionWon");
  expect(await notificationsOf(seller, id)).toEqual(["auctionSold"]);
  expect(await notificationsOf(cleo, id)).toEqual([]);
  expect(await notificationsOf(ada, id)).not.toContain("auctionLost");
});

test("an auction whose bidders have all lost their accounts ends unsold", async () => {
  const [ada, bea] = [await student(), await person(w, "agent", "approved")];
  const { seller, id } = await soldTo(ada, bea);
  await disable(ada);
  await w.services.database.db.delete(user).where(eq(user.id, bea.id));
  await endAt(w, id, past());
  expect(await settled(id)).toMatchObject({ state: "unsold", winnerId: null });
  expect(await notificationsOf(seller, id)).toEqual(["auctionUnsold"]);
});

test("an auction settled concurrently by many callers on two nodes is settled once", async () => {
  const [ada, bea] = [await student(), await student()];
  const { seller, id } = await soldTo(ada, bea);
  const version = (await w.services.products.read(id))?.version ?? 0;
  await endAt(w, id, past());
  const kinds = await Promise.all(
    Array.from({ length: 20 }, (_, at) => settle((at % 2 === 0 ? w : second).services, id)),
  );
  // The servers' own closers take part too, and only one of all attempts settles it.
  expect(kinds.filter((kind) => kind === "sold").length).toBeLessThanOrEqual(1);
  expect(await auditOf(id)).toHaveLength(1);
  expect(await notificationsOf(bea, id)).toEqual(["auctionWon"]);
  expect(await notificationsOf(seller, id)).toEqual(["auctionSold"]);
  const [row] = await w.services.database.db
    .select({ version: auctionBidding.version, open: auctionBidding.open })
    .from(auctionBidding)
    .where(eq(auctionBidding.productId, id));
  // The version grows once for the moved end, and once for the sale.
  expect(row).toEqual({ version: version + 2, open: false });
});

test("an auction is left alone before its end and once it is off sale", async () => {
  const seller = await student();
  const [early, removed] = await Promise.all([product(w, seller), product(w, seller, { state: "removed" })]);
  expect(await settle(w.services, early)).toBe("notYet");
  expect(await settle(w.services, removed)).toBe("closed");
  expect((await storedProduct(w, early)).state).toBe("open");
  expect((await storedProduct(w, removed)).state).toBe("removed");
});

test("the node that settles an auction announces to all nodes that it has changed", async () => {
  const seller = await student();
  const announced: string[] = [];
  const changed = (ids: readonly string[]) => announced.push(...ids);
  const services = { ...w.services, products: { changed } };
  // A server's own closer may have been faster.
  const own = await until(async () => {
    const id = await product(w, seller, { endDate: past() });
    return (await settle(services, id)) === "unsold" && id;
  });
  expect(announced).toEqual([own]);
});

test("an auction that can't be settled doesn't hold up others, and is settled once it can be", async () => {
  const seller = await student();
  const [bad, good] = [await product(w, seller), await product(w, seller)];
  await w.asOwner(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'injected'; end $$;
    create trigger refuse before update on auction_product for each row
      when (old.id = '${bad}' and new.state <> 'open') execute function refuse();`);
  await Promise.all([endAt(w, bad, new Date(Date.now() - 2000)), endAt(w, good, past())]);
  const failures = await settleDue(w.services);
  expect([...failures.keys()]).toEqual([bad]);
  expect((await settled(good)).state).toBe("unsold");
  expect(await notificationsOf(seller, bad)).toEqual([]);
  await until(() => w.log.some(({ msg }) => msg === "an auction could not be settled"));
  await w.asOwner("drop trigger refuse on auction_product");
  expect((await settled(bad)).state).toBe("unsold");
  expect(w.log.filter(({ msg }) => msg === "an auction could not be settled")).toHaveLength(1);
});

test("an auction that another transaction has locked is skipped, and settled afterwards", async () => {
  const seller = await student();
  const [held, free] = [await product(w, seller), await product(w, seller)];
  const client = await w.services.database.pool.connect();
  await client.query("begin");
  // This lock lets the end be moved.
  await client.query("select 1 from auction_bidding where product_id = $1 for key share", [held]);
  await Promise.all([endAt(w, held, past()), endAt(w, free, past())]);
  expect((await settled(free)).state).toBe("unsold");
  expect(await settle(w.services, held, "skipLocked")).toBe("busy");
  expect((await storedProduct(w, held)).state).toBe("open");
  await client.query("commit");
  client.release();
  expect((await settled(held)).state).toBe("unsold");
});

test("more auctions than one query returns are all settled", async () => {
  const seller = await student();
  const ids = await Promise.all(Array.from({ length: 230 }, () => product(w, seller, { endDate: past() })));
  await Promise.all([settleDue(w.services), settleDue(second.services)]);
  for (const id of ids) expect((await storedProduct(w, id)).state).toBe("unsold");
  expect((await notificationsOf(seller, ids[0] ?? "")).length).toBe(1);
});
