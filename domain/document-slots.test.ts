import fc from "fast-check";
import { expect, test } from "vitest";
import { documentKinds, documentStates } from "./document.ts";
import { slotsFor } from "./document-slots.ts";

test("missing and rejected ones first, then those to replace", () => {
  expect(slotsFor(2, { transcript: "uploaded" })).toEqual(["cv", "statement"]);
  expect(slotsFor(9, { transcript: "approved", passport: "rejected" })).toEqual([
    "cv",
    "statement",
    "recommendation1",
    "recommendation2",
    "passport",
    "transcript",
  ]);
});

test("never one twice, never more than there are", () => {
  const slots = fc.dictionary(fc.constantFrom(...documentKinds), fc.constantFrom(...documentStates));
  fc.assert(
    fc.property(fc.nat(20), slots, (files, given) => {
      const found = slotsFor(files, given);
      expect(found).toHaveLength(Math.min(files, documentKinds.length));
      expect(new Set(found).size).toBe(found.length);
    }),
  );
});
