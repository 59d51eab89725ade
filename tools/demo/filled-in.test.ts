import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applicationStates } from "#domain/application.ts";
import { latestEndOf } from "#domain/auction-end.ts";
import { verifyAuction } from "#scripts/verify-auction.ts";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { confirmationOf } from "#server/features/applications/confirmations/queries.ts";
import { application, applicationStep } from "#server/features/applications/tables.ts";
import { openChangeRequests } from "#server/features/assignments/change-requests.ts";
import { sharing } from "#server/features/assignments/tables.ts";
import { pendingOutbid } from "#server/features/auctions/bidding/outbid.ts";
import { keyOf, pictureFiles } from "#server/features/auctions/pictures/picture-files.ts";
import { processDueSales } from "#server/features/auctions/sales/due-sales.ts";
import { sale } from "#server/features/auctions/sales/tables.ts";
import {
  auctionBid,
  auctionBidder,
  auctionBidding,
  auctionLimit,
  auctionPicture,
  auctionProduct,
} from "#server/features/auctions/tables.ts";
import { runsOf } from "#server/features/bulk-runs/queries.ts";
import { document } from "#server/features/documents/tables.ts";
import { listDuplicates } from "#server/features/duplicates/queries.ts";
import { invitation } from "#server/features/invitations/tables.ts";
import { notifyOfOverdueOffers } from "#server/features/offers/overdue.ts";
import { offerCondition } from "#server/features/offers/tables.ts";
import { sendReminders } from "#server/features/planner/reminders.ts";
import { sortedOut } from "#tests/history/history.ts";
import { Caller } from "#tests/support/caller.ts";
import { admin, fillIn, rowsIn } from "#tests/support/demo.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { leads, password } from "./people.ts";

const inOrder = (times: readonly Date[]) => times.toSorted((one, other) => one.getTime() - other.getTime());

describe("the demo fills in", () => {
  let w: Wayfare;
  beforeAll(async () => {
    w = await wayfare({ variables: { ADMIN_EMAILS: admin } });
    expect(await fillIn(w)).toBe("filled");
  });
  afterAll(() => w.stop());

  test("a conditional offer with three conditions", async () => {
    const { db } = w.services.database;
    const conditions = await db.select({ offerId: offerCondition.offerId }).from(offerCondition);
    const firstConditions = conditions.filter(({ offerId }) => offerId === conditions[0]?.offerId);
    expect(firstConditions).toHaveLength(3);
  });

  test("lists that were sent to universities, and one that waits for its student", async () => {
    const { db } = w.services.database;
    const states: string[] = [];
    for (const { id, state } of await db.select().from(application))
      states.push(`${state} ${(await confirmationOf(db, id))?.state}`);
    expect(states).toEqual(expect.arrayContaining(["inReview asked", "sentToUniversity sent"]));
  });

  test("a finished move of many applications by the first agent, with rows that were left out", async () => {
    const { db } = w.services.database;
    const [agent] = await db.select({ id: user.id }).from(user).where(eq(user.email, leads.agent));
    const [run] = await runsOf(db, agent?.id ?? "");
    expect(run).toMatchObject({ act: "move", waiting: 0, failed: 0 });
    expect(Math.min(run?.done ?? 0, run?.skipped ?? 0)).toBeGreaterThan(0);
  });

  test("a student who withholds documents from the first agent, and an invitation that a student accepted", async () => {
    const { db } = w.services.database;
    const [agent] = await db.select({ id: user.id }).from(user).where(eq(user.email, leads.agent));
    const stopped = await db
      .select({ agentId: user.assignedAgentId })
      .from(sharing)
      .innerJoin(user, eq(user.id, sharing.studentId));
    expect(stopped).toEqual([{ agentId: agent?.id }]);
    const accepted = await db
      .select({ inviterId: invitation.inviterId, agentId: user.assignedAgentId })
      .from(invitation)
      .innerJoin(user, eq(user.id, invitation.studentId))
      .where(eq(invitation.state, "claimed"));
    expect(accepted).toEqual([{ inviterId: agent?.id, agentId: agent?.id }]);
  });

  test("an overdue request for another agent, and two accounts of one person", async () => {
    const { db } = w.services.database;
    const { requests } = await openChangeRequests(db, { cursor: null });
    expect(requests.map(({ overdue }) => overdue)).toEqual([true]);
    const { groups } = await listDuplicates(db, "open");
    expect(groups.map(({ members }) => new Set(members.map(({ name }) => name)).size)).toEqual([1]);
  });

  test("agents of every kind, the denied one only as an address", async () => {
    const { db } = w.services.database;
    const agents = await db.select({ status: user.status }).from(user).where(eq(user.role, "agent"));
    const kinds = agents.map(({ status }) => status).toSorted();
    expect(kinds).toEqual(["approved", "disabled", "pending", "revoked"]);
    expect(await db.select().from(deniedAgent)).toHaveLength(1);
  });

  test("applications in every state, each as its timeline ends", async () => {
    const { db } = w.services.database;
    const applications = await db.select().from(application);
    expect(new Set(applications.map(({ state }) => state))).toEqual(new Set(applicationStates));
    const all = await db.select().from(applicationStep).orderBy(applicationStep.id);
    for (const { id, state, version, createdAt } of applications) {
      const steps = all.filter(({ applicationId }) => applicationId === id);
      const states = steps.map(({ to }) => to);
      expect(steps.map(({ from }) => from)).toEqual([null, ...states.slice(0, -1)]);
      expect([states.at(-1), states.length]).toEqual([state, version]);
      const times = steps.map(({ at }) => at);
      expect(times).toEqual(inOrder(times));
      expect(times[0]).toEqual(createdAt);
    }
  });

  test("bids and their results by the rules", async () => {
    const { db } = w.services.database;
    const rows = await db
      .select()
      .from(auctionProduct)
      .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id));
    const limits = await db.select().from(auctionLimit);
    expect(limits.length).toBeGreaterThan(10);
    const [bids, bidders] = [
      await db.select().from(auctionBid).orderBy(auctionBid.number),
      await db.select().from(auctionBidder),
    ];
    expect(bids.length).toBeGreaterThan(50);
    const states = rows.map(({ auction_product: { state } }) => state);
    expect(new Set(states)).toEqual(new Set(["open", "sold", "unsold", "removed"]));
    for (const { auction_product: product, auction_bidding: bidding } of rows) {
      const own = bids.filter(({ productId }) => productId === product.id);
      const ownLimits = limits.filter(({ productId }) => productId === product.id);
      const after = replayed(product, own, ownLimits);
      const isOpen = product.state === "open";
      expect(bidding).toMatchObject({
        open: isOpen,
        price: after.highestBid ?? product.startingBid,
        highestBidderId: after.highestBidderId,
        bidCount: own.length,
        version: 1 + own.length + (isOpen ? 0 : 1),
      });
      const lastBids = new Map(own.map(({ bidderId, number, amount }) => [bidderId, { number, amount }]));
      const rows = bidders.filter(({ productId }) => productId === product.id);
      expect(new Map(rows.map(({ bidderId, number, amount }) => [bidderId, { number, amount }]))).toEqual(
        lastBids,
      );
      const sale = { winnerId: after.highestBidderId, winningBid: after.highestBid };
      const isSold = product.state === "sold";
      expect(product).toMatchObject(isSold ? sale : { winnerId: null, winningBid: null });
    }
  });

  test("histories whose hashes hold", async () => {
    const products = await w.services.database.db.select({ id: auctionProduct.id }).from(auctionProduct);
    let extended = 0;
    for (const { id } of products) {
      const state = await w.services.products.read(id);
      if (state === null) continue;
      if (state.endDate > state.plannedEnd) extended++;
      const { findings } = await verifyAuction(async (path) => await w.app.request(path), { productId: id });
      expect(findings.filter(({ holds }) => !holds)).toEqual([]);
    }
    expect(extended).toBeGreaterThan(0);
  });

  test("sales and their results by the rules", async () => {
    const { db } = w.services.database;
    const sold = await db.select().from(auctionProduct).where(eq(auctionProduct.state, "sold"));
    const sales = await db.select().from(sale);
    expect(sales.map(({ productId, buyerId, amount }) => [productId, buyerId, amount])).toEqual(
      expect.arrayContaining(sold.map(({ id, winnerId, winningBid }) => [id, winnerId, winningBid])),
    );
    expect(sales).toHaveLength(sold.length);
    expect(await processDueSales(w.services)).toEqual(new Map());
    expect(await db.select().from(sale)).toEqual(sales);
  });

  test("every file that a row names", async () => {
    const { storage, database } = w.services;
    const documents = await database.db.select().from(document);
    expect(new Set(documents.map(({ mediaType }) => mediaType))).toContain("application/pdf");
    for (const { storageKey, size } of documents)
      expect((await storage.disk.getMetaData(storageKey)).contentLength).toBe(size);
    const pictures = await database.db.select().from(auctionPicture);
    expect(pictures.length).toBeGreaterThanOrEqual(20);
    for (const { id } of pictures)
      for (const { width, format } of pictureFiles)
        expect((await storage.disk.getMetaData(keyOf(id, width, format))).contentLength).toBeGreaterThan(500);
  });

  test.each([admin, ...Object.values(leads)])(
    "an account for %s with the printed password",
    async (email) => {
      const { status, body } = await new Caller(w.app).call("account.signIn", { email, password });
      expect([status, body]).toMatchObject([200, { email }]);
    },
  );

  test("no mail, neither now nor for outbid bidders", async () => {
    const { database } = w.services;
    // The jobs of every minute may or may not have run by now.
    await Promise.all([notifyOfOverdueOffers(w.services), sendReminders(w.services)]);
    // A login is followed by a mail about the new browser, which isn't the demo's.
    const mails = `select data ->> 'mail' from jobs.job where name = 'mail' and data ->> 'mail' <> 'security'`;
    expect((await database.pool.query(mails)).rows).toEqual([]);
    const ids = (await database.db.select().from(auctionProduct)).map(({ id }) => id);
    expect(await database.transaction((tx) => pendingOutbid(tx, ids, 10))).toEqual([]);
  });

  test("the data only once", async () => {
    const before = await rowsIn(w);
    expect(await fillIn(w)).toBe("there");
    expect(await rowsIn(w)).toEqual(before);
  });
});

/** Returns the state after these bids and limits, decided again one by one. */
function replayed(
  { id, sellerId, startingBid, endDate }: typeof auctionProduct.$inferSelect,
  bids: readonly (typeof auctionBid.$inferSelect)[],
  limits: readonly (typeof auctionLimit.$inferSelect)[],
): { highestBid: number | null; highestBidderId: string | null } {
  const lot = { id, sellerId: sellerId ?? "", startingBid, endDate: endDate.getTime() };
  const latestEnd = latestEndOf({ endDate, softClose: true })?.getTime() ?? 0;
  const [history] = sortedOut({
    operations: [],
    bids: bids.map(({ createdAt, idempotencyKey: key, ...bid }) => ({
      ...bid,
      key,
      at: createdAt.getTime(),
    })),
    limits: limits.map(({ createdAt, idempotencyKey: key, ...limit }) => ({
      ...limit,
      key,
      at: createdAt.getTime(),
    })),
    lots: [{ ...lot, latestEnd }],
  });
  expect(history?.mismatch).toBe(null);
  const times = bids.map(({ createdAt }) => createdAt);
  expect(times).toEqual(inOrder(times));
  const last = history?.moments.at(-1);
  return { highestBid: last?.price ?? null, highestBidderId: last?.leaderId ?? null };
}
