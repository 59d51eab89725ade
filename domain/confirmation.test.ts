import { expect, test } from "vitest";
import { confirmationState, type FrozenList, listText } from "./confirmation.ts";

const list: FrozenList = {
  program: "MSc Data Science",
  university: "University of Leeds",
  startDate: "Spring Intake (January)",
  year: 2027,
  documents: [
    { kind: "cv", id: "one", sha256: "aa" },
    { kind: "passport", id: "two", sha256: "bb" },
  ],
};

test("the order of documents doesn't count in a list's text, their versions and titles do", () => {
  const text = listText(list);
  expect(listText({ ...list, documents: list.documents.toReversed() })).toBe(text);
  const [cv, passport] = list.documents;
  const paper = { kind: "other", name: "Bank statement", id: "three", sha256: "cc" } as const;
  if (!cv || !passport) throw new Error("the list has two documents");
  const others: FrozenList[] = [
    { ...list, program: "MSc Data Sciences" },
    { ...list, startDate: "Fall Intake (August or September)" as const },
    { ...list, university: "" },
    { ...list, year: 2028 },
    { ...list, documents: [cv] },
    { ...list, documents: [cv, passport, paper] },
    { ...list, documents: [cv, passport, { ...paper, name: "Bank statements" }] },
    { ...list, documents: [cv, passport, { ...paper, sha256: "dd" }] },
    { ...list, documents: [{ ...cv, sha256: "cc" }, passport] },
    {
      ...list,
      documents: [
        { ...cv, kind: "passport" as const },
        { ...passport, kind: "cv" as const },
      ],
    },
  ];
  expect(new Set([list, ...others].map(listText)).size).toBe(others.length + 1);
});

test("a confirmation holds for exactly the list that was confirmed", () => {
  const confirmedAt = new Date();
  expect(confirmationState(null, "a")).toBe("none");
  expect(confirmationState({ hash: "a", confirmedAt: null }, "a")).toBe("asked");
  expect(confirmationState({ hash: "a", confirmedAt }, "a")).toBe("confirmed");
  expect(confirmationState({ hash: "a", confirmedAt }, "b")).toBe("outdated");
  expect(confirmationState({ hash: "a", confirmedAt: null }, "b")).toBe("outdated");
});
