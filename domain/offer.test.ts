import { describe, expect, test } from "vitest";
import {
  areAllSettled,
  changedTerms,
  checkOffer,
  conditionStates,
  decideClaim,
  decideConditions,
  decideMark,
  type OfferForm,
  type StoredCondition,
} from "./offer.ts";

const due = {
  date: "2027-06-01",
  time: null,
  zone: "Europe/London",
  whose: "institution",
  hard: true,
} as const;
const form: OfferForm = {
  conditions: [{ id: null, text: " IELTS 6.5 ", kind: "score", due }],
  replyBy: { ...due, time: "17:00" },
  deposit: { amount: 400_000, currency: "GBP", due: null },
  startDate: "2027-09-20",
};

describe("an offer from a form", () => {
  test("is stored with trimmed texts", () => {
    expect(checkOffer(form, "Africa/Lagos")).toMatchObject({
      conditions: [{ text: "IELTS 6.5", due }],
      replyBy: { time: "17:00", zone: "Europe/London" },
    });
  });

  test("gets the student's zone for the student's own deadlines", () => {
    const own = { ...form, replyBy: { ...due, whose: "applicant" } as const };
    expect(checkOffer(own, "Africa/Lagos")).toMatchObject({ replyBy: { zone: "Africa/Lagos" } });
  });

  const condition = form.conditions[0] ?? { id: null, text: "", kind: "other", due: null };
  test.each<[string, Partial<OfferForm>]>([
    ["conditions.0.text", { conditions: [{ ...condition, text: "  " }] }],
    ["conditions.1.text", { conditions: [condition, { ...condition, text: "x".repeat(301) }] }],
    ["conditions.0.text", { conditions: [{ ...condition, text: "two\nlines" }] }],
    ["conditions.0.due.date", { conditions: [{ ...condition, due: { ...due, date: "2027-02-30" } }] }],
    ["conditions", { conditions: Array.from({ length: 21 }, () => condition) }],
    ["replyBy.time", { replyBy: { ...due, time: "25:00" } }],
    ["replyBy.zone", { replyBy: { ...due, zone: "Atlantis/Harbour" } }],
    ["deposit.amount", { deposit: { amount: 0, currency: "GBP", due: null } }],
    ["deposit.due.date", { deposit: { amount: 1, currency: "GBP", due: { ...due, date: "soon" } } }],
    ["startDate", { startDate: "2027-13-01" }],
  ])("names %s if that is invalid", (field, changes) => {
    expect(checkOffer({ ...form, ...changes }, "UTC")).toMatchObject({ code: "form/incomplete", field });
  });
});

describe("the conditions of a changed offer", () => {
  const condition = (id: string, state: StoredCondition["state"]): StoredCondition => ({
    id,
    text: id,
    kind: "other",
    due: null,
    state,
  });
  const before = [condition("a", "open"), condition("b", "claimed")];
  const row = (id: string | null, text = id ?? "new") => ({ id, text, kind: "other" as const, due: null });

  test("stay when the form has them unchanged", () => {
    expect(decideConditions(before, [row("a"), row("b")])).toMatchObject({ isChanged: false, removed: [] });
  });

  test("are added, changed and removed while they are open", () => {
    expect(decideConditions(before, [row("b"), row(null)])).toMatchObject({
      kind: "changes",
      added: [{ text: "new", place: 1 }],
      removed: ["a"],
      isChanged: true,
    });
    expect(decideConditions(before, [row("a", "more"), row("b")])).toMatchObject({ isChanged: true });
  });

  test("conflict when one that was claimed is changed or removed, or an unknown one is named", () => {
    for (const rows of [[row("a"), row("b", "other words")], [row("a")], [...before, row("c")]])
      expect(decideConditions(before, rows)).toEqual({ kind: "conflict" });
  });
});

test("the changed terms are named", () => {
  const terms = { replyBy: due, deposit: null, startDate: null };
  expect(changedTerms(terms, terms)).toEqual([]);
  const deposit = { amount: 1, currency: "GBP", due: null } as const;
  expect(changedTerms(terms, { replyBy: { ...due, hard: false }, deposit, startDate: "2027-09-20" })).toEqual(
    ["reply-by date", "deposit", "start date"],
  );
});

test("staff can mark a condition only in the state that they saw, and not with its current state", () => {
  for (const state of conditionStates)
    for (const seenState of conditionStates)
      for (const mark of ["met", "waived", "open"] as const)
        expect(
          decideMark({ state, seen: seenState }, mark, "Because.").kind,
          `${state} ${seenState} ${mark}`,
        ).toBe(state === seenState && state !== mark ? "becomes" : "conflict");
});

test("waiving a condition and sending it back need a reason, and marking it as met has none", () => {
  const claimed = { state: "claimed", seen: "claimed" } as const;
  expect(decideMark(claimed, "waived", " ")).toMatchObject({ kind: "problem" });
  expect(decideMark(claimed, "open", "x".repeat(501))).toMatchObject({ kind: "problem" });
  expect(decideMark(claimed, "open", " The scan is cut off. ")).toEqual({
    kind: "becomes",
    state: "open",
    reason: "The scan is cut off.",
  });
  expect(decideMark(claimed, "met", "ignored")).toEqual({ kind: "becomes", state: "met", reason: "" });
});

test("a student claims only an open condition", () => {
  expect(conditionStates.map((state) => decideClaim(state, "").kind)).toEqual([
    "claimed",
    "conflict",
    "conflict",
    "conflict",
  ]);
  expect(decideClaim("open", "x".repeat(1001)).kind).toBe("problem");
});

test("all conditions are settled once each is met or waived, but not without conditions", () => {
  expect(areAllSettled(["met", "waived"])).toBe(true);
  expect(areAllSettled(["met", "claimed"])).toBe(false);
  expect(areAllSettled([])).toBe(false);
});
