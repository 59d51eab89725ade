import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { eventsOf, passTime, soldItem, storedSale, storedStrikes } from "#tests/support/sales.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { keepSales } from "./keeper.ts";

let w: Wayfare;
let second: Wayfare;
let [seller, buyer, other, admin]: [Person, Person, Person, Person] = [] as never;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  admin = await person(w, "admin", "active");
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

const elsewhere = ({ caller }: Person): Caller => {
  const twin = new Caller(second.app);
  for (const [name, value] of caller.cookies) twin.cookies.set(name, value);
  return twin;
};
const people = async () => {
  [seller, buyer, other] = [
    await person(w, "agent", "pending"),
    await person(w, "student", "active"),
    await person(w, "student", "active"),
  ];
};
const sold = async (changes: Partial<Parameters<typeof soldItem>[1]> = {}) => {
  await people();
  return await soldItem(w, { seller, buyer, others: [[other, 42_000]], ...changes });
};
const say = (who: Person | Caller, act: string, saleId: string, more: object = {}) =>
  ("caller" in who ? who.caller : who).call(`sales.${act}`, { saleId, ...more });
const report = (who: Person | Caller, saleId: string, claim = "notPaid") =>
  say(who, "report", saleId, { claim });
const disable = (who: Person, disabled = true) =>
  admin.caller.call("students.setDisabled", { userId: who.id, disabled });

describe("what both do at once from two nodes has one outcome:", () => {
  test.each([
    ["the answer and another answer", "done", "untrue"],
    ["two disputes", "untrue", "untrue"],
    ["two promises", "later", "later"],
  ])("%s", async (_, one, another) => {
    const { saleId } = await sold();
    await report(seller, saleId);
    const answers = await Promise.all([
      say(buyer, "answer", saleId, { answer: one }),
      say(elsewhere(buyer), "answer", saleId, { answer: another }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect((await eventsOf(w, saleId)).length).toBe(3);
  });

  test("a report of each", async () => {
    const { saleId } = await sold();
    const answers = await Promise.all([report(seller, saleId), report(elsewhere(buyer), saleId, "noAnswer")]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  test("a report and the reported one's handover", async () => {
    const { saleId } = await sold();
    const answers = await Promise.all([report(seller, saleId), say(elsewhere(buyer), "handOver", saleId)]);
    const { state, buyerSaidAt, reportedBy } = await storedSale(w, saleId);
    expect(state).toBe("awaiting");
    expect(reportedBy).toBe("seller");
    // The handover came first, or was refused.
    expect(answers[1]?.status).toBe(buyerSaidAt ? 200 : 409);
  });

  test("the answer and the end of its time", async () => {
    const { saleId } = await sold();
    await report(seller, saleId);
    await passTime(w, saleId);
    const [answer] = await Promise.all([
      say(buyer, "answer", saleId, { answer: "done" }),
      keepSales(second.services),
    ]);
    expect(answer?.code).toBe("failed-precondition");
    expect(await storedSale(w, saleId)).toMatchObject({ state: "fellThrough" });
    expect(await storedStrikes(w, buyer)).toHaveLength(1);
  });

  test("two decisions of admins", async () => {
    const { saleId } = await sold();
    await report(seller, saleId);
    await say(buyer, "answer", saleId, { answer: "untrue" });
    const office = await person(w, "admin", "active");
    const decision = { end: "fellThrough", reason: "The bank says so." };
    const answers = await Promise.all([
      say(admin, "decide", saleId, { ...decision, fault: "reported" }),
      say(elsewhere(office), "decide", saleId, { ...decision, fault: "reporter" }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const strikes = [...(await storedStrikes(w, buyer)), ...(await storedStrikes(w, seller))];
    expect(strikes).toHaveLength(1);
  });

  test("being shut out and the end of the time to answer", async () => {
    const { saleId } = await sold();
    await report(seller, saleId);
    await passTime(w, saleId);
    await Promise.all([disable(buyer), keepSales(second.services)]);
    await keepSales(w.services);
    const events = await eventsOf(w, saleId);
    expect(await storedStrikes(w, buyer)).toHaveLength(events.includes("silent") ? 1 : 0);
    expect(await storedSale(w, saleId)).toMatchObject({ state: "fellThrough", fault: "buyer" });
  });
});
