import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documentKinds, documentStates } from "./document.ts";
import { decideMove, mayBeTakenBack, slotHint, slotsFor } from "./document-slots.ts";

test.each([
  ["passport.pdf", "passport"],
  ["Passport_Scan (2).jpg", "passport"],
  ["OboiPassportFINAL.png", "passport"],
  ["Reisepass.pdf", "passport"],
  ["pass.pdf", "passport"],
  ["护照.jpg", "passport"],
  ["Hộ chiếu.pdf", "passport"],
  ["CV.pdf", "cv"],
  ["Ada-Obi-CV-2026.pdf", "cv"],
  ["Résumé.pdf", "cv"],
  ["Özgeçmiş.pdf", "cv"],
  ["my_resume.pdf", "cv"],
  ["Lebenslauf_Obi.pdf", "cv"],
  ["Transcript of Records.pdf", "transcript"],
  ["Relevé de notes.pdf", "transcript"],
  ["Abschlusszeugnis.pdf", "transcript"],
  ["SOP.pdf", "statement"],
  ["PersonalStatement.pdf", "statement"],
  ["Motivationsschreiben.pdf", "statement"],
  ["Reference Prof Mensah.pdf", "recommendation"],
  ["LOR_1.pdf", "recommendation1"],
  ["recommendation2.pdf", "recommendation2"],
  ["Recommendation letter 2024.pdf", "recommendation"],
  ["Empfehlungsschreiben.pdf", "recommendation"],
  // Names that suggest no slot, or more than one.
  ["scan0001.pdf", null],
  ["bank statement.pdf", null],
  ["compass.pdf", null],
  ["cv and transcript.pdf", null],
  ["IMG_1234.jpg", null],
  [".pdf", null],
] as const)("%s → %s", (name, hint) => {
  expect(slotHint(name)).toBe(hint);
});

describe("several files chosen together", () => {
  test("go to the slots that their names suggest", () => {
    expect(slotsFor(["passport.pdf", "cv.pdf", "transcript.pdf"], {})).toEqual([
      "passport",
      "cv",
      "transcript",
    ]);
    expect(slotsFor(["reference b.pdf", "reference a.pdf"], {})).toEqual([
      "recommendation1",
      "recommendation2",
    ]);
    expect(slotsFor(["reference.pdf"], { recommendation1: "approved" })).toEqual(["recommendation2"]);
  });

  test("go to the empty slots in order when their names suggest nothing", () => {
    expect(slotsFor(["a.pdf", "cv.pdf", "b.pdf"], {})).toEqual(["transcript", "cv", "statement"]);
    // A rejected file still fills its slot: only a file whose name suggests the slot replaces it.
    expect(slotsFor(["scan.jpg"], { transcript: "rejected" })).toEqual(["cv"]);
    expect(slotsFor(["transcript.jpg"], { transcript: "rejected" })).toEqual(["transcript"]);
    expect(slotsFor(["a.pdf"], {}, ["transcript"])).toEqual(["cv"]);
  });

  test("replace a file only if their names suggest its slot", () => {
    const all = Object.fromEntries(documentKinds.map((kind) => [kind, "uploaded"] as const));
    expect(slotsFor(["passport.png", "scan.pdf"], all)).toEqual(["passport", null]);
  });

  test("get no slot if an earlier file has the one that their name suggests", () => {
    expect(slotsFor(["passport front.jpg", "passport back.jpg"], {})).toEqual(["passport", null]);
  });

  test("never share a slot, and replace no file whose slot their names don't suggest", () => {
    const names = fc.array(
      fc.constantFrom("passport.pdf", "cv.pdf", "lor.pdf", "a.pdf", "b.pdf", "lor 2.pdf"),
    );
    const slots = fc.dictionary(fc.constantFrom(...documentKinds), fc.constantFrom(...documentStates));
    fc.assert(
      fc.property(names, slots, fc.subarray([...documentKinds]), (files, states, reservedSlots) => {
        const guesses = slotsFor(files, states, reservedSlots);
        expect(guesses).toHaveLength(files.length);
        const used = [...reservedSlots, ...guesses.filter((slot) => slot !== null)];
        expect(new Set(used).size).toBe(used.length);
        for (const [at, slot] of guesses.entries())
          if (slot !== null && slotHint(files[at] ?? "") === null) expect(states[slot]).toBeUndefined();
      }),
    );
  });
});

test("a file moves to an empty slot, trades places, or stays because one of the two is approved", () => {
  expect(decideMove("uploaded", null)).toBe("moves");
  expect(decideMove("rejected", "uploaded")).toBe("swaps");
  expect(decideMove("approved", null)).toBe("conflict");
  expect(decideMove("uploaded", "approved")).toBe("conflict");
  expect(documentStates.filter(mayBeTakenBack)).toEqual(["uploaded", "rejected"]);
});
