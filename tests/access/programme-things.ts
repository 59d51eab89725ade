import { eq } from "drizzle-orm";
import { programmeIntake } from "#server/features/programmes/tables.ts";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { student, type Thing, word } from "./thing.ts";

/** Functions that create something of the catalogue of programmes, which is public; its owner is any student. */
export const programmeThings = {
  async programme(w: Wayfare): Promise<Thing> {
    const { owner } = await student(w);
    const university = await storeInstitution(w, { name: word() });
    return { id: await storeProgrammeOf(w, university), owner, words: [university.name] };
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
export async function programmeOfIntake(w: Wayfare, { id }: Thing): Promise<{ programmeId: string }> {
  const [intake] = await w.services.database.db
    .select({ programmeId: programmeIntake.programmeId })
    .from(programmeIntake)
    .where(eq(programmeIntake.id, String(id)));
  return { programmeId: intake?.programmeId ?? "" };
}
