import { randomUUID } from "node:crypto";
import { eq, or } from "drizzle-orm";
import { differentInstitutions, institution, programme } from "#server/features/programmes/tables.ts";
import { equivalenceForm, institutionForm, programmeForm } from "#tests/support/programme-files.ts";
import { storeProgrammeOf } from "#tests/support/programmes.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import type { ObjectRules } from "./object-access.ts";
import { things } from "./object-world.ts";
import type { Thing } from "./thing.ts";

/** Returns the institution that this one is marked as different from. */
async function otherOfPair(w: Wayfare, { id }: Thing): Promise<{ other: string }> {
  const [pair] = await w.services.database.db
    .select({ one: differentInstitutions.oneId, other: differentInstitutions.otherId })
    .from(differentInstitutions)
    .where(or(eq(differentInstitutions.oneId, String(id)), eq(differentInstitutions.otherId, String(id))));
  return { other: (pair?.one === id ? pair.other : pair?.one) ?? "" };
}

/** Stores another programme of a programme's institution. */
async function twinOf(w: Wayfare, id: string): Promise<string> {
  const [at] = await w.services.database.db
    .select({ institution })
    .from(programme)
    .innerJoin(institution, eq(institution.id, programme.institutionId))
    .where(eq(programme.id, id));
  if (!at) throw new Error("There is no such programme");
  return await storeProgrammeOf(w, at.institution);
}

/** The rules of the identifiers of the catalogue, which only admins may name. */
export const catalogueObjects: ObjectRules = {
  "catalogue.saveInstitution id": {
    of: "institution",
    may: ["admin"],
    beside: async () => institutionForm(),
  },
  "catalogue.joinInstitution id": {
    of: "institution",
    may: ["admin"],
    beside: async (on) => ({ into: (await things.institution(on)).id }),
  },
  "catalogue.joinInstitution into": {
    of: "institution",
    may: ["admin"],
    beside: async (on) => ({ id: (await things.institution(on)).id }),
  },
  "catalogue.sayDifferent one": {
    of: "institution",
    may: ["admin"],
    beside: async (on) => ({ other: (await things.institution(on)).id }),
  },
  "catalogue.sayDifferent other": {
    of: "institution",
    may: ["admin"],
    beside: async (on) => ({ one: (await things.institution(on)).id }),
  },
  "catalogue.takeBackDifferent one": {
    of: "saidDifferent",
    may: ["admin"],
    beside: otherOfPair,
  },
  "catalogue.takeBackDifferent other": {
    of: "saidDifferent",
    may: ["admin"],
    beside: async (on, thing) => ({ one: (await otherOfPair(on, thing)).other }),
  },
  "catalogue.list institutionId": { of: "institution", may: ["admin"], silent: true },
  "catalogue.read id": { of: "programme", may: ["admin"] },
  "catalogue.save id": {
    of: "programme",
    may: ["admin"],
    beside: async (on) => ({
      version: 1,
      institutionId: (await things.institution(on)).id,
      entry: programmeForm,
    }),
  },
  "catalogue.save institutionId": {
    of: "institution",
    may: ["admin"],
    beside: async () => ({ entry: programmeForm }),
  },
  "catalogue.save entry.sourceId": "own",
  "catalogue.remove id": { of: "programme", may: ["admin"] },
  "catalogue.bringBack id": { of: "programme", may: ["admin"] },
  "catalogue.joinProgramme id": {
    of: "programme",
    may: ["admin"],
    beside: async (on, { id }) => ({ into: await twinOf(on, String(id)) }),
  },
  "catalogue.joinProgramme into": {
    of: "programme",
    may: ["admin"],
    beside: async (on, { id }) => ({ id: await twinOf(on, String(id)) }),
  },
  "catalogue.markChecked ids[]": { of: "programme", may: ["admin"], silent: true },
  "catalogue.putProgrammes programmes[].id": "own",
  "catalogue.putProgrammes programmes[].sourceId": "own",
  "catalogue.undoImport id": { of: "programmeImport", may: ["admin"] },
  "catalogue.saveGroup id": {
    of: "nationalityGroup",
    may: ["admin"],
    beside: async () => ({ name: `Group ${randomUUID().slice(0, 8)}`, countries: ["NG"] }),
  },
  "catalogue.removeGroup id": { of: "nationalityGroup", may: ["admin"] },
  "catalogue.saveEquivalence id": {
    of: "gradeEquivalence",
    may: ["admin"],
    beside: async () => equivalenceForm,
  },
  "catalogue.removeEquivalence id": { of: "gradeEquivalence", may: ["admin"] },
  "catalogue.setAgreement institutionId": { of: "institution", may: ["admin"] },
  "catalogue.removeAgreement institutionId": { of: "agreement", may: ["admin"] },
};
