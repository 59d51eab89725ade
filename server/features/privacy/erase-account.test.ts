import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settleDue } from "#server/features/auctions/settlement/closer.ts";
import { auctionProduct } from "#server/features/auctions/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { submit } from "#tests/support/applications.ts";
import { bid, endAt, product, remove, storedProduct } from "#tests/support/auctions.ts";
import { assign, assignedStudent, filesOf } from "#tests/support/documents.ts";
import { busyStudent, endBindingAuctions, expectErased, tablesWith } from "#tests/support/erasure.ts";
import { fullProfile, goodPassword, type Person, person, storedUser } from "#tests/support/factories.ts";
import { pictureFilesIn } from "#tests/support/pictures.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { keyOf } from "../account/limits.ts";
import { user } from "../account/tables.ts";
import { eraseByEmail, eraseDueAccounts } from "./erase-account.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const day = 24 * 3_600_000;
const disable = (who: Person) =>
  boss.caller.call("students.setDisabled", { userId: who.id, disabled: true, releaseStudents: true });
const askForDeletion = async (who: Person) =>
  expect((await who.caller.call("account.requestDeletion")).status).toBe(200);
const makeDue = (who: Person, dueAt = new Date(Date.now() - 1)) =>
  w.services.database.db.update(user).set({ deletionDueAt: dueAt }).where(eq(user.id, who.id));

test("an operator's erasure removes a disabled student from every table, the queue and the store", async () => {
  const { student, item } = await busyStudent(w);
  const other = await person(w, "student", "active");
  const form = { email: student.email, password: goodPassword };
  expect((await other.caller.call("profile.changeEmail", form)).status).toBe(200);
  const keys = [student.id, student.email].map(keyOf);
  for (const text of ["E77ERASEME", ...keys])
    expect([text, await tablesWith(w, text)]).not.toEqual([text, []]);
  await disable(student);
  expect(await eraseByEmail(w.services, ` ${student.email.toUpperCase()} `)).toBe("erased");
  await expectErased(w, student, "E77ERASEME", "Erasemann", ...keys);
  expect(await tablesWith(w, student.id)).toEqual([
    "public.auction_bid",
    "public.auction_bidder",
    "public.auction_bidding",
    "public.audit",
  ]);
  expect(await filesOf(w, student.id)).toEqual([]);
  expect(await pictureFilesIn(w)).toEqual([]);
  expect((await w.app.request(`/auctions/products/${item}`)).status).toBe(200);
  // A second call does nothing.
  expect(await eraseByEmail(w.services, student.email)).toBe("notFound");
});

test("erasure ends the person's sessions, even on a node that has them cached", async () => {
  const student = await person(w, "student", "active");
  expect((await student.caller.call("notifications.list")).status).toBe(200);
  const { db } = w.services.database;
  await db
    .update(user)
    .set({ status: "disabled", deletionDueAt: new Date(0) })
    .where(eq(user.id, student.id));
  await eraseDueAccounts(w.services);
  expect((await student.caller.call("notifications.list")).code).toBe("unauthenticated");
});

describe("an operator is refused", () => {
  test("an account that is not disabled, and an unknown address", async () => {
    const student = await person(w, "student", "active");
    expect(await eraseByEmail(w.services, student.email)).toBe("notDisabled");
    expect(await eraseByEmail(w.services, "nobody@example.org")).toBe("notFound");
    expect(await storedUser(w, student.id)).toBeDefined();
  });

  test("any other deletion of an application's step, even as the owner of the tables", async () => {
    const student = await person(w, "student", "active");
    await submit(student);
    const other = await person(w, "student", "active");
    await disable(other);
    expect(await eraseByEmail(w.services, other.email)).toBe("erased");
    expect(await tablesWith(w, student.id)).toContain("public.application_step");
    await expect(w.asOwner("delete from application_step")).rejects.toThrow(/append-only/);
  });
});

describe("the application's database role", () => {
  const erase = (id: string) =>
    w.services.database.db.execute(sql`select erase_application_steps(${id})`).catch((error) => error.cause);

  test("deletes an application's steps only through the function, and only when the deletion is due", async () => {
    const student = await person(w, "student", "active");
    await submit(student);
    const refusal = { message: "the deletion of this account is not due" };
    expect(await erase(student.id)).toMatchObject(refusal);
    await makeDue(student, new Date(Date.now() + day));
    expect(await erase(student.id)).toMatchObject(refusal);
    expect(await tablesWith(w, student.id)).toContain("public.application_step");
    // The session setting alone grants nothing, because the role has no privilege on the table.
    await expect(
      w.services.database.transaction(async (tx) => {
        await tx.execute(sql`set local wayfare.erasing = 'on'`);
        await tx.execute(sql`delete from application_step`);
      }),
    ).rejects.toMatchObject({ cause: { code: "42501" } });
  });
});

test("sales keep their amounts but lose the person; items without bids, pictures and texts are deleted", async () => {
  const [seller, buyer] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const words = { description: "Ring at number 17", handover: "17 Palm Grove" };
  const sold = await product(w, seller, { ...words, productName: "A chair" });
  const unsold = await product(w, seller, words);
  const bought = await product(w, buyer, {});
  const removed = await product(w, seller, words);
  for (const [bidder, productId] of [
    [buyer, sold],
    [buyer, removed],
    [seller, bought],
  ] as const)
    expect((await bid(bidder.caller, productId, 500)).status).toBe(200);
  expect((await remove(boss, removed, "It was reported.")).status).toBe(200);
  for (const id of [sold, unsold, bought]) await endAt(w, id, new Date(Date.now() - 1000));
  await settleDue(w.services);
  expect(await storedProduct(w, sold)).toMatchObject({ state: "sold", winnerId: buyer.id });
  await askForDeletion(seller);
  await makeDue(seller);
  await endBindingAuctions(w, seller);
  await eraseDueAccounts(w.services);

  expect(await storedProduct(w, sold)).toMatchObject({
    productName: "A chair",
    state: "sold",
    sellerId: null,
    winnerId: buyer.id,
    winningBid: 50_000,
    description: "",
    handover: "",
  });
  expect(await storedProduct(w, bought)).toMatchObject({
    sellerId: buyer.id,
    winnerId: null,
    winningBid: 50_000,
  });
  expect(await storedProduct(w, removed)).toMatchObject({
    sellerId: null,
    handover: "",
    removalReason: null,
  });
  const rows = await w.services.database.db
    .select()
    .from(auctionProduct)
    .where(eq(auctionProduct.id, unsold));
  expect(rows).toEqual([]);
  await expectErased(w, seller, "Palm Grove", "number 17");
  const list = await buyer.caller.call("auctions.myBids");
  expect(JSON.stringify(list.body)).toContain("A chair");
  const relation = await buyer.caller.call("auctions.relation", { productId: sold });
  expect(relation.body).toMatchObject({ contact: null });
});

test("an erased agent's students are released and notified, and no notification names the agent any more", async () => {
  const { student, agent } = await assignedStudent(w);
  const other = await person(w, "agent", "approved");
  const lastName = `Gonemann-${agent.id.slice(0, 8)}`;
  const profile = { ...fullProfile, lastName };
  expect((await agent.caller.call("profile.save", { version: 0, profile })).status).toBe(200);
  await assign(w, student.id, null);
  const input = { studentId: student.id, agentId: agent.id, expectedAgentId: null };
  expect((await boss.caller.call("students.assign", input)).status).toBe(200);
  expect(await tablesWith(w, lastName)).toContain("public.notification");
  await askForDeletion(agent);
  // The students stay for now, and the admins are notified.
  expect(await storedUser(w, student.id)).toMatchObject({ assignedAgentId: agent.id });
  const notificationsTo = async (who: Person) =>
    (
      await w.services.database.db
        .select()
        .from(notification)
        .where(eq(notification.userId, who.id))
        .orderBy(notification.id)
    ).map(({ kind, about }) => [kind, about["agent"]]);
  expect(await notificationsTo(boss)).toContainEqual(["agentLeaving", `Ada ${lastName}`]);

  await makeDue(agent);
  await eraseDueAccounts(w.services);
  await expectErased(w, agent, lastName);
  expect(await storedUser(w, student.id)).toMatchObject({ assignedAgentId: null });
  expect(await notificationsTo(student)).toEqual([["agentLost", undefined]]);
  expect((await notificationsTo(boss)).at(-1)).toEqual(["studentsLeft", undefined]);
  await w.mail(student.email, /no longer|can no longer help you/);
  expect(await storedUser(w, other.id)).toBeDefined();
});
