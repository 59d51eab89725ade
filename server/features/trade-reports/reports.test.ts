import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportLimits, reportTexts } from "#domain/trade-report.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { bid, endAt, product } from "#tests/support/auctions.ts";
import { textIn } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { settleDue } from "../auctions/settlement/closer.ts";
import { openReports, tidyReports } from "./commands.ts";
import { auctionReport } from "./tables.ts";

let w: Wayfare;
let second: Wayfare;
let boss: Person;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  boss = await person(w, "admin", "active");
  seller = await person(w, "student", "active");
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

type ReportChanges = { subject?: string; reason?: string; text?: string; questionId?: string };
const send = (by: Person, productId: string, changes: ReportChanges = {}) =>
  by.caller.call("tradeReports.send", {
    subject: "product",
    productId,
    reason: "misdescribed",
    text: "",
    ...changes,
  });
const onSecond = ({ caller, ...who }: Person): Person => ({ ...who, caller: caller.on(second.app) });
const newcomer = () => person(w, "student", "active");
const list = async (show: "open" | "answered" = "open") => {
  const { body } = await boss.caller.call("tradeReports.list", { show });
  return (body as { reports: { id: string; subject: string; product: { id: string } | null }[] }).reports;
};
const reportOf = async (productId: string, show: "open" | "answered" = "open") =>
  (await list(show)).find((each) => each.product?.id === productId);
const notificationsOf = (who: Person) =>
  w.services.database.db
    .select({ kind: notification.kind, about: notification.about, ids: notification.ids })
    .from(notification)
    .where(eq(notification.userId, who.id));
/** Ends an auction now, and settles it. */
async function close(productId: string): Promise<void> {
  await endAt(w, productId, new Date(Date.now() - 1));
  await settleDue(w.services);
}
const answer = (reportId: string, words = "We removed it.") =>
  boss.caller.call("tradeReports.answer", { reportId, outcome: "acted", answer: words });

describe("a report", () => {
  test("reaches the admins, and its answer reaches the reporter", async () => {
    const id = await product(w, seller, { productName: "Oak chair" });
    const ada = await newcomer();
    expect((await send(ada, id, { reason: "other", text: " It is mine. " })).status).toBe(200);
    const report = await reportOf(id);
    expect(report).toMatchObject({
      subject: "product",
      reason: "other",
      text: "It is mine.",
      product: { id, name: "Oak chair", state: "open" },
      account: { id: seller.id, email: seller.email },
      reporter: { id: ada.id, email: ada.email },
      answer: null,
    });
    const reportId = report?.id ?? "";
    expect(await notificationsOf(boss)).toContainEqual({
      kind: "reportSent",
      about: { product: "Oak chair", reason: "Something else" },
      ids: { reportId, productId: id },
    });
    expect((await answer(reportId, " We spoke to them. ")).status).toBe(200);
    expect(await notificationsOf(ada)).toEqual([
      {
        kind: "reportAnswered",
        about: { product: "Oak chair", reason: "We spoke to them." },
        ids: { reportId, productId: id },
      },
    ]);
    // The admins' notification is removed, and nobody else is notified of the report.
    expect((await notificationsOf(boss)).filter(({ ids }) => ids?.reportId === reportId)).toEqual([]);
    expect(await notificationsOf(seller)).toEqual([]);
    expect(await reportOf(id)).toBeUndefined();
    expect(await reportOf(id, "answered")).toMatchObject({
      answer: { outcome: "acted", text: "We spoke to them." },
    });
  });

  test("can be open only once per person and subject, even if it is sent concurrently to two nodes", async () => {
    const id = await product(w, seller);
    const [ada, ben] = [await newcomer(), await newcomer()];
    const twice = await Promise.all([send(ada, id), send(onSecond(ada), id)]);
    expect(twice.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(await send(ada, id)).toMatchObject({ code: "already-exists", message: reportTexts.repeated });
    expect((await send(ada, id, { subject: "seller", reason: "fraud" })).status).toBe(200);
    expect((await send(ben, id)).status).toBe(200);
    const first = (await list()).find((each) => each.product?.id === id);
    await answer(first?.id ?? "");
    expect((await send(ada, id)).status).toBe(200);
  });

  test("can't be about the reporter, or about a person whom they don't know", async () => {
    const id = await product(w, seller);
    const [ada, ben] = [await newcomer(), await newcomer()];
    expect(await send(seller, id)).toMatchObject({ code: "permission-denied", message: reportTexts.own });
    expect(await send(seller, id, { subject: "seller", reason: "fraud" })).toMatchObject({
      code: "permission-denied",
    });
    await bid(ada.caller, id, 150);
    await close(id);
    expect(await send(ben, id, { subject: "buyer", reason: "fraud" })).toMatchObject({ code: "not-found" });
    expect((await send(seller, id, { subject: "buyer", reason: "fraud" })).status).toBe(200);
    expect(await reportOf(id)).toMatchObject({ subject: "buyer", account: { id: ada.id } });
    expect(await send(ada, randomUUID())).toMatchObject({ code: "not-found" });
  });

  test("is refused with a reason of another subject, without a required text, or with too long a text", async () => {
    const id = await product(w, seller);
    const ada = await newcomer();
    expect(await send(ada, id, { reason: "abuse" })).toMatchObject({ code: "form/incomplete" });
    expect(await send(ada, id, { reason: "other" })).toMatchObject({ code: "form/incomplete" });
    const text = "a".repeat(reportLimits.text + 1);
    expect(await send(ada, id, { text })).toMatchObject({ code: "form/incomplete" });
  });

  test("is limited to 10 per day; refused ones don't count", async () => {
    const ada = await newcomer();
    const ids = await Promise.all(Array.from({ length: reportLimits.aDay + 1 }, () => product(w, seller)));
    for (const id of ids.slice(0, reportLimits.aDay)) {
      expect((await send(ada, id)).status).toBe(200);
      if (id === ids[0]) expect((await send(ada, id)).code).toBe("already-exists");
    }
    expect(await send(ada, ids.at(-1) ?? "")).toMatchObject({
      code: "resource-exhausted",
      message: reportTexts.tooMany,
    });
  });

  test("is accepted ten times out of twenty concurrent ones on two nodes, whatever they are about", async () => {
    const ada = await newcomer();
    const ids = await Promise.all(Array.from({ length: 2 * reportLimits.aDay }, () => product(w, seller)));
    const elsewhere = onSecond(ada);
    const answers = await Promise.all(ids.map((id, at) => send(at % 2 ? ada : elsewhere, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(reportLimits.aDay);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["resource-exhausted"]));
    const rows = await w.services.database.db
      .select({ id: auctionReport.id })
      .from(auctionReport)
      .where(eq(auctionReport.reporterId, ada.id));
    expect(rows).toHaveLength(reportLimits.aDay);
  });

  test("does not count if it is refused, even when sent concurrently with the day's last one", async () => {
    const ada = await newcomer();
    const ids = await Promise.all(Array.from({ length: reportLimits.aDay }, () => product(w, seller)));
    const [last = "", ...before] = ids;
    for (const id of before) expect((await send(ada, id)).status).toBe(200);
    const repeats = before.map((id) => send(ada, id));
    expect((await send(ada, last)).status).toBe(200);
    for (const repeated of await Promise.all(repeats)) expect(repeated.code).toBe("already-exists");
  });

  test("counts for 24 hours", async () => {
    const ada = await newcomer();
    const ids = await Promise.all(Array.from({ length: reportLimits.aDay + 1 }, () => product(w, seller)));
    const [next = "", ...before] = ids;
    for (const id of before) await send(ada, id);
    const late = await send(ada, next);
    expect(late.code).toBe("resource-exhausted");
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(86_000);
    await w.services.database.db
      .update(auctionReport)
      .set({ at: new Date(Date.now() - 24 * 3_600_000) })
      .where(eq(auctionReport.productId, before[0] ?? ""));
    expect((await send(ada, next)).status).toBe(200);
  });

  test("is answered only once by two concurrent answers", async () => {
    const id = await product(w, seller);
    await send(await newcomer(), id);
    const { id: reportId = "" } = (await reportOf(id)) ?? {};
    const both = await Promise.all([answer(reportId, "First."), answer(reportId, "Second.")]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(await answer(reportId, " ")).toMatchObject({ code: "failed-precondition" });
  });

  test("is not emailed once it has been answered", async () => {
    const [one, other] = [await product(w, seller), await product(w, seller)];
    const ada = await newcomer();
    await send(ada, one);
    await send(ada, other);
    const [done, open] = [await reportOf(one), await reportOf(other)];
    await answer(done?.id ?? "");
    const about = { product: "Desk", reason: "It isn't as described" };
    const mailed = [done, open].map((report) => ({
      kind: "reportSent" as const,
      userId: boss.id,
      about,
      ids: { reportId: report?.id ?? "" },
      agentId: null,
      path: "/admin/trade-reports",
    }));
    const entries = await w.services.database.transaction((tx) => openReports(tx, mailed, "mail"));
    expect(entries.map(({ ids }) => ids?.reportId)).toEqual([open?.id]);
  });

  test("is deleted a year after its answer", async () => {
    const [old, recent] = [await product(w, seller), await product(w, seller)];
    const ada = await newcomer();
    for (const id of [old, recent]) {
      await send(ada, id);
      await answer((await reportOf(id))?.id ?? "");
    }
    await w.services.database.db
      .update(auctionReport)
      .set({ answeredAt: new Date(Date.now() - 366 * 24 * 3_600_000) })
      .where(eq(auctionReport.productId, old));
    await tidyReports(w.services);
    expect(await reportOf(old, "answered")).toBeUndefined();
    expect(await reportOf(recent, "answered")).toBeDefined();
  });
});

describe("a report of a question", () => {
  const ask = async (by: Person, productId: string, text: string) =>
    textIn((await by.caller.call("auctions.ask", { productId, text })).body, "id");
  const about = (questionId?: string) => ({
    subject: "question",
    reason: "abuse",
    ...(questionId !== undefined && { questionId }),
  });

  test("shows the admins the question with its answer and its author", async () => {
    const id = await product(w, seller);
    const [ada, ben] = [await newcomer(), await newcomer()];
    const questionId = await ask(ada, id, "Are you daft?");
    await seller.caller.call("auctions.answer", { questionId, answer: "No." });
    expect((await send(ben, id, about(questionId))).status).toBe(200);
    const question = { id: questionId, text: "Are you daft?", answer: "No.", isHidden: false };
    expect(await reportOf(id)).toMatchObject({ subject: "question", account: { id: ada.id }, question });
    await boss.caller.call("auctions.hideQuestion", { questionId, reason: "It is rude." });
    expect(await reportOf(id)).toMatchObject({ question: { isHidden: true } });
    // Nobody can read it any more, so nobody else can report it.
    expect((await send(seller, id, about(questionId))).code).toBe("not-found");
  });

  test("can only come from the seller while the question is open, and never from its author", async () => {
    const id = await product(w, seller);
    const [ada, ben] = [await newcomer(), await newcomer()];
    const questionId = await ask(ada, id, "Are you daft?");
    expect((await send(ben, id, about(questionId))).code).toBe("not-found");
    expect(await send(ada, id, about(questionId))).toMatchObject({
      code: "permission-denied",
      message: reportTexts.own,
    });
    expect((await send(seller, id, about(questionId))).status).toBe(200);
  });

  test("must be about a question of the given item", async () => {
    const [id, another] = [await product(w, seller), await product(w, seller)];
    const questionId = await ask(await newcomer(), another, "Are you daft?");
    expect((await send(seller, id, about(questionId))).code).toBe("not-found");
    expect((await send(seller, id, about())).code).toBe("not-found");
  });

  test("is separate from reports of other questions about the item", async () => {
    const id = await product(w, seller);
    const ada = await newcomer();
    const [one, other] = [await ask(ada, id, "Are you daft?"), await ask(ada, id, "Are you deaf?")];
    expect((await send(seller, id, about(one))).status).toBe(200);
    expect((await send(seller, id, about(one))).code).toBe("already-exists");
    expect((await send(seller, id, about(other))).status).toBe(200);
  });
});
