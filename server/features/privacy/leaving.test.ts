import { and, desc, eq, ne } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settleDue } from "#server/features/auctions/settlement/closer.ts";
import { bid, endAt, notificationsExceptOutbid, product, storedProduct } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { goodPassword, type Person, person, storedUser } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { auctionProduct } from "../auctions/tables.ts";
import { notificationMail } from "../notifications/mails.ts";
import { notification } from "../notifications/tables.ts";
import { eraseByEmail, eraseDueAccounts } from "./erase-account.ts";
import { deletionAskedMail } from "./mails.ts";
import { listEntries } from "./retention/rules.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const hour = 3_600_000;
const student = () => person(w, "student", "active");
const requestDeletion = async (who: Person) =>
  expect((await who.caller.call("account.requestDeletion")).status).toBe(200);
const login = async ({ email }: Person) =>
  (await new Caller(w.app).call("account.signIn", { email, password: goodPassword })).code;
const disable = (who: Person, disabled = true) =>
  boss.caller.call("students.setDisabled", { userId: who.id, disabled });

/** Ends an auction now and returns its result. */
async function close(id: string) {
  await endAt(w, id, new Date(Date.now() - 1));
  await settleDue(w.services);
  return await until(async () => {
    const row = await storedProduct(w, id);
    return row.state !== "open" && row;
  });
}

describe("bids of a user who requested the deletion of their account", () => {
  test("win at the close, so that no accomplice gets the item at the starting price", async () => {
    const [seller, accomplice, shield] = [await student(), await student(), await student()];
    const id = await product(w, seller, { startingBid: 10_000 });
    expect((await bid(accomplice.caller, id, 100)).status).toBe(200);
    expect((await bid(shield.caller, id, 10_000)).status).toBe(200);
    await requestDeletion(shield);
    expect(await close(id)).toMatchObject({ state: "sold", winnerId: shield.id, winningBid: 1_000_000 });
  });

  test("no longer count once an admin has disabled the account", async () => {
    const [seller, honest, shield] = [await student(), await student(), await student()];
    const id = await product(w, seller);
    await bid(honest.caller, id, 200);
    await bid(shield.caller, id, 900);
    await requestDeletion(shield);
    expect((await disable(shield)).status).toBe(200);
    expect(await close(id)).toMatchObject({ winnerId: honest.id, winningBid: 20_000 });
  });
});

describe("items of a seller who requested the deletion of their account", () => {
  test.each([
    ["one with bids that ends within 12 hours runs to its end", 1, true, "open"],
    ["one with bids that ends later is withdrawn", 13, true, "removed"],
    ["one without bids is withdrawn", 1, false, "removed"],
  ] as const)("%s", async (_name, hours, hasBid, state) => {
    const [seller, bidder] = [await student(), await student()];
    const id = await product(w, seller, { endDate: new Date(Date.now() + hours * hour) });
    if (hasBid) expect((await bid(bidder.caller, id, 500)).status).toBe(200);
    await requestDeletion(seller);
    expect(await storedProduct(w, id)).toMatchObject({ state });
    if (state === "open") expect(await close(id)).toMatchObject({ state: "sold", winnerId: bidder.id });
  });

  test("are all withdrawn when an admin disables the seller", async () => {
    const [seller, bidder] = [await student(), await student()];
    const id = await product(w, seller, { endDate: new Date(Date.now() + hour) });
    await bid(bidder.caller, id, 500);
    await requestDeletion(seller);
    await disable(seller);
    expect(await storedProduct(w, id)).toMatchObject({ state: "removed", removedBy: "withdrawn" });
  });
});

describe("erasure", () => {
  const day = 24 * hour;
  const makeDue = (who: Person) =>
    w.services.database.db
      .update(user)
      .set({ deletionDueAt: new Date(0) })
      .where(eq(user.id, who.id));
  const isErased = async (who: Person) => {
    await eraseDueAccounts(w.services);
    return (await storedUser(w, who.id)) === undefined;
  };
  const soldDaysAgo = (id: string, days: number) =>
    w.services.database.db
      .update(auctionProduct)
      .set({ closedAt: new Date(Date.now() - days * day) })
      .where(eq(auctionProduct.id, id));

  test("waits for the auctions in which the user has bid, and 14 days after a win", async () => {
    const [seller, winner, loser] = [await student(), await student(), await student()];
    const id = await product(w, seller);
    await bid(loser.caller, id, 500);
    await bid(winner.caller, id, 600);
    for (const who of [winner, loser]) {
      await requestDeletion(who);
      await makeDue(who);
      expect(await isErased(who)).toBe(false);
    }
    await close(id);
    expect(await isErased(loser)).toBe(true);
    await soldDaysAgo(id, 13.9);
    expect(await isErased(winner)).toBe(false);
    await soldDaysAgo(id, 14);
    expect(await isErased(winner)).toBe(true);
  });

  test("waits for the user's own item to end, and 14 days after its sale", async () => {
    const [seller, bidder] = [await student(), await student()];
    const id = await product(w, seller, { endDate: new Date(Date.now() + hour) });
    await bid(bidder.caller, id, 500);
    await requestDeletion(seller);
    await makeDue(seller);
    expect(await isErased(seller)).toBe(false);
    await close(id);
    expect(await isErased(seller)).toBe(false);
    await soldDaysAgo(id, 14);
    expect(await isErased(seller)).toBe(true);
  });

  test("waits for nothing once an admin has disabled the account; before that, an operator can't erase it", async () => {
    const [seller, ada, bea] = [await student(), await student(), await student()];
    const id = await product(w, seller);
    for (const [place, who] of [ada, bea].entries()) {
      await bid(who.caller, id, 500 + place);
      await requestDeletion(who);
      expect(await eraseByEmail(w.services, who.email)).toBe("notDisabled");
      await disable(who);
      await makeDue(who);
    }
    expect(await isErased(ada)).toBe(true);
    expect(await isErased(bea)).toBe(true);
    expect(await close(id)).toMatchObject({ state: "unsold" });
  });

  test("has its date and reasons in the answer and mail to the holder, and in the lists of admins", async () => {
    const [seller, winner] = [await student(), await student()];
    const endDate = new Date(Date.now() + 30 * day);
    const id = await product(w, seller, { endDate, productName: "A brass telescope" });
    await bid(winner.caller, id, 600);
    const answer = await winner.caller.call("account.requestDeletion");
    const until = new Date(endDate.getTime() + 14 * day);
    const json = until.toISOString();
    expect(answer.body).toMatchObject({
      dueAt: json,
      ties: [{ product: "A brass telescope", kind: "bid", until: json }],
    });
    const mail = await w.mail(winner.email, /^Your account will be deleted on /);
    const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(until);
    expect(mail.subject).toContain(date);
    const writtenMail = await deletionAskedMail.write(w.services, { userId: winner.id });
    expect(writtenMail?.text).toContain(
      `A brass telescope: your bid stands until the auction closes (until ${date})`,
    );
    const { db } = w.services.database;
    const inTime = { rule: "deletionAsked", from: null } as const;
    const later = new Date(Date.now() + 20 * day);
    const entries = async (now: Date) =>
      (await listEntries(db, w.environment, inTime, now)).entries.filter(({ who }) => who === winner.email);
    expect(await entries(new Date())).toEqual([]);
    expect(await entries(later)).toMatchObject([{ at: until }]);
    const accounts = await boss.caller.call("accounts.list", { search: winner.email });
    expect(accounts.body).toMatchObject({ accounts: [{ status: "leaving", erasedOn: json }] });
    const students = await boss.caller.call("students.list", { search: winner.email });
    expect(students.body).toMatchObject({ students: [{ disabled: false, erasedOn: json }] });
  });
});

/** Returns the text of the mail about a person's latest notification, except being outbid. */
async function mailTo(who: Person) {
  const [last] = await w.services.database.db
    .select({ mailId: notification.mailId })
    .from(notification)
    .where(and(eq(notification.userId, who.id), ne(notification.kind, "outbid")))
    .orderBy(desc(notification.id))
    .limit(1);
  return (await notificationMail.write(w.services, { mailId: last?.mailId ?? "" }))?.text;
}

describe("when a buyer or a seller is leaving", () => {
  const relation = async (who: Person, productId: string) =>
    (await who.caller.call("auctions.relation", { productId })).body;

  test("the seller is notified that the buyer is leaving, and keeps the contact; the buyer is mailed", async () => {
    const [seller, buyer] = [await student(), await student()];
    const id = await product(w, seller, { productName: "A brass telescope" });
    await bid(buyer.caller, id, 600);
    await requestDeletion(buyer);
    const { closedAt } = await close(id);
    const until = new Date((closedAt?.getTime() ?? 0) + 14 * 24 * hour);
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(until);
    expect(await notificationsExceptOutbid(w, seller)).toMatchObject([
      { kind: "auctionSold", about: { day } },
    ]);
    await w.mail(buyer.email, /^You won A brass telescope$/);
    expect(await mailTo(seller)).toContain(
      `The buyer is closing their account: please get in touch by ${day}.`,
    );
    expect(await mailTo(buyer)).toContain(
      `We keep your account until ${day}, so that the seller can reach you by email.`,
    );
    expect(await relation(seller, id)).toMatchObject({
      contact: { email: buyer.email, leaves: until.toISOString() },
    });
    await disable(buyer);
    expect(await relation(seller, id)).toMatchObject({ contact: null });
  });

  test("the buyer keeps the contact of a seller who is leaving", async () => {
    const [seller, buyer] = [await student(), await student()];
    const id = await product(w, seller, { endDate: new Date(Date.now() + hour) });
    await bid(buyer.caller, id, 600);
    await requestDeletion(seller);
    const { closedAt } = await close(id);
    const leaves = new Date((closedAt?.getTime() ?? 0) + 14 * 24 * hour).toISOString();
    expect(await relation(buyer, id)).toMatchObject({ contact: { email: seller.email, leaves } });
    expect(await mailTo(buyer)).toContain("The seller is closing their account");
  });
});

describe("an admin, for a user who requested the deletion of their account,", () => {
  const approved = async () => {
    const agent = await person(w, "agent", "approved");
    await w.services.database.db.update(user).set({ approvedAt: new Date() }).where(eq(user.id, agent.id));
    return agent;
  };
  const revoke = ({ id }: Person) => boss.caller.call("agents.revoke", { id });
  test.each([
    ["revokes an agent", approved, revoke, "revoked", "account/revoked"],
    ["disables an agent", approved, disable, "disabled", "auth/user-disabled"],
    ["disables a student", student, disable, "disabled", "auth/user-disabled"],
  ] as const)("%s: no login cancels the deletion or succeeds", async (_how, make, act, status, refusal) => {
    const who = await make();
    await requestDeletion(who);
    const due = (await storedUser(w, who.id))?.deletionDueAt;
    expect((await act(who)).status).toBe(200);
    expect(await login(who)).toBe(refusal);
    expect(await storedUser(w, who.id)).toMatchObject({ status, deletionDueAt: due });
  });

  test("denies an agent: the record is deleted", async () => {
    const agent = await person(w, "agent", "pending");
    await requestDeletion(agent);
    expect((await boss.caller.call("agents.deny", { id: agent.id })).status).toBe(200);
    expect(await storedUser(w, agent.id)).toBeUndefined();
    expect(await login(agent)).toBe("account/denied");
  });

  test("enables the account again: it is still leaving, and a login cancels that", async () => {
    const who = await student();
    await requestDeletion(who);
    await disable(who);
    expect((await disable(who, false)).status).toBe(200);
    expect((await storedUser(w, who.id))?.deletionDueAt).not.toBeNull();
    expect(await login(who)).toBeNull();
    expect(await storedUser(w, who.id)).toMatchObject({ status: "active", deletionDueAt: null });
  });

  test("can neither approve nor deny an agent whom they approved before", async () => {
    const agent = await approved();
    await requestDeletion(agent);
    for (const action of ["approve", "deny"])
      expect((await boss.caller.call(`agents.${action}`, { id: agent.id })).code).toBe("failed-precondition");
  });
});
