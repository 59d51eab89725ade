import { eq } from "drizzle-orm";
import { programmeIntake } from "#server/features/programmes/tables.ts";
import { applicationForm } from "#tests/support/applications.ts";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import type { ObjectRules } from "./object-access.ts";
import { responsible } from "./relations.ts";
import { student, type Thing, word } from "./thing.ts";

/** Functions that create something of the catalogue of programmes, which is public; its owner is any student. */
export const programmeThings = {
  async programme(w: Wayfare): Promise<Thing> {
    const { owner } = await student(w);
    const university = await storeInstitution(w, { name: word() });
    // It is public, so none of its words is a secret.
    return { id: await storeProgrammeOf(w, university), owner, words: [] };
  },

  async programmeIntake(w: Wayfare): Promise<Thing> {
    const of = await programmeThings.programme(w);
    const [intake] = await w.services.database.db
      .select({ id: programmeIntake.id })
      .from(programmeIntake)
      .where(eq(programmeIntake.programmeId, String(of.id)));
    return { ...of, id: intake?.id ?? "" };
  },
};

/** Returns the programme of an intake. */
async function programmeOfIntake(w: Wayfare, { id }: Thing): Promise<{ programmeId: string }> {
  const [intake] = await w.services.database.db
    .select({ programmeId: programmeIntake.programmeId })
    .from(programmeIntake)
    .where(eq(programmeIntake.id, String(id)));
  return { programmeId: intake?.programmeId ?? "" };
}

/** The rules of identifiers of the catalogue, and of records that are compared with it. */
export const programmeRules: ObjectRules = {
  "programmes.forStudent studentId": { of: "student", may: ["owner", ...responsible] },
  "programmes.answers programmeId": { of: "programme", may: ["owner", "otherStudent"] },
  "programmes.answers studentId": {
    of: "student",
    may: ["owner", ...responsible],
    beside: async (on) => ({ programmeId: (await programmeThings.programme(on)).id }),
  },
  "programmes.answers intakeId": {
    of: "programmeIntake",
    may: ["owner", "otherStudent"],
    beside: programmeOfIntake,
  },
  "shortlist.add programmeId": { of: "programme", may: ["owner", "otherStudent"] },
  "shortlist.add intakeId": {
    of: "programmeIntake",
    may: ["owner", "otherStudent"],
    beside: programmeOfIntake,
  },
  "applications.submit programmeId": {
    of: "programme",
    may: ["owner", "otherStudent"],
    beside: async () => applicationForm,
  },
  "applications.submit intakeId": {
    of: "programmeIntake",
    may: ["owner", "otherStudent"],
    beside: async (on, thing) => ({ ...applicationForm, ...(await programmeOfIntake(on, thing)) }),
  },
};
