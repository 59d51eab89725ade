import fc from "fast-check";
import { expect, test } from "vitest";
import { documentKinds, documentStates } from "./document.ts";
import { barColour, missingDocuments, missingFields, progressFields, progressOf } from "./progress.ts";

type Fields = Parameters<typeof missingFields>[0];
const profileWith = (count: number): Fields =>
  Object.fromEntries(progressFields.map((field, index) => [field, index < count ? "x" : " "])) as Fields;
const slotsWith = (uploaded: number) =>
  Object.fromEntries(documentKinds.slice(0, uploaded).map((kind) => [kind, "uploaded" as const]));

test("nothing is 0, everything is 100", () => {
  expect(progressOf(profileWith(0), {})).toEqual({ overall: 0, profile: 0, documents: 0 });
  expect(progressOf(profileWith(12), slotsWith(6))).toEqual({ overall: 100, profile: 100, documents: 100 });
});

test("both percentages are rounded to whole ones, and overall is the rounded average of these two", () => {
  const profiles = Array.from({ length: 13 }, (_, count) => progressOf(profileWith(count), {}).profile);
  expect(profiles).toEqual([0, 8, 17, 25, 33, 42, 50, 58, 67, 75, 83, 92, 100]);
  const documents = Array.from(
    { length: 7 },
    (_, count) => progressOf(profileWith(0), slotsWith(count)).documents,
  );
  expect(documents).toEqual([0, 17, 33, 50, 67, 83, 100]);
  // 8.33 and 16.67 are shown as 8 and 17, whose average 12.5 becomes 13.
  expect(progressOf(profileWith(1), slotsWith(1)).overall).toBe(13);
  expect(progressOf(profileWith(12), {}).overall).toBe(50);
  // The exact average of 58.33 and 0 would be 29.17.
  expect(progressOf(profileWith(7), {}).overall).toBe(29);
});

test("middle name, second address line, ID number and passport do not count", () => {
  expect(progressFields).toHaveLength(12);
  for (const field of ["middleName", "addressLine2", "idNumber", "passportNumber", "passportExpiry"])
    expect(progressFields).not.toContain(field);
  expect(missingFields({ ...profileWith(12), city: "", phoneNumber: "  " })).toEqual(["phoneNumber", "city"]);
});

test("a rejected document counts as missing, an approved one does not", () => {
  const slots = { transcript: "approved", cv: "rejected", statement: "uploaded" } as const;
  expect(missingDocuments(slots)).toEqual(["cv", "recommendation1", "recommendation2", "passport"]);
  expect(progressOf(profileWith(0), slots).documents).toBe(33);
});

test("every number is whole, between 0 and 100, and another field or document never lowers one", () => {
  const slots = fc.dictionary(fc.constantFrom(...documentKinds), fc.constantFrom(...documentStates));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 11 }), slots, (count, states) => {
      const before = progressOf(profileWith(count), states);
      const after = progressOf(profileWith(count + 1), { ...states, passport: "approved" });
      for (const key of ["overall", "profile", "documents"] as const) {
        expect(Number.isInteger(before[key]) && before[key] >= 0 && before[key] <= 100).toBe(true);
        expect(after[key]).toBeGreaterThanOrEqual(before[key]);
      }
      expect(before.overall).toBe(Math.round((before.profile + before.documents) / 2));
    }),
  );
});

test.each([
  [100, "green"],
  [80, "green"],
  [79, "orange"],
  [60, "orange"],
  [59, "amber"],
  [40, "amber"],
  [39, "red"],
  [0, "red"],
] as const)("%i is %s", (percentage, colour) => {
  expect(barColour(percentage)).toBe(colour);
});
