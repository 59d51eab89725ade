import { randomUUID } from "node:crypto";
import { agreement } from "#server/features/agreements/tables.ts";
import { programmeImport, programmeImportChange } from "#server/features/programmes/imports/tables.ts";
import {
  differentInstitutions,
  gradeEquivalence,
  institution,
  nationalityGroup,
} from "#server/features/programmes/tables.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { programmeThings } from "./programme-things.ts";
import { type Thing, word } from "./thing.ts";

/** Functions that create a new thing of the catalogue, which has no owner. */
export const catalogueThings = {
  async institution(w: Wayfare): Promise<Thing> {
    const [id, name] = [randomUUID(), word()];
    await w.services.database.db
      .insert(institution)
      .values({ id, name, country: "GB", zone: "Europe/London" });
    return { id, words: [name] };
  },

  /** Creates an institution that is marked as different from another one. */
  async saidDifferent(w: Wayfare): Promise<Thing> {
    const [one, other] = [await catalogueThings.institution(w), await catalogueThings.institution(w)];
    const [oneId = "", otherId = ""] = [String(one.id), String(other.id)].toSorted();
    await w.services.database.db.insert(differentInstitutions).values({ oneId, otherId });
    return one;
  },

  async programmeImport(w: Wayfare): Promise<Thing> {
    const { db } = w.services.database;
    const { id: programmeId } = await programmeThings.programme(w);
    const [id, source] = [randomUUID(), word()];
    await db.insert(programmeImport).values({ id, source, hash: "0", finishedAt: new Date() });
    await db
      .insert(programmeImportChange)
      .values({ importId: id, programmeId: String(programmeId), version: 1 });
    return { id, words: [source] };
  },

  async nationalityGroup(w: Wayfare): Promise<Thing> {
    const [id, name] = [randomUUID(), word()];
    await w.services.database.db.insert(nationalityGroup).values({ id, name, countries: ["NG"] });
    return { id, words: [name] };
  },

  async gradeEquivalence(w: Wayfare): Promise<Thing> {
    const [id, source] = [randomUUID(), word()];
    await w.services.database.db.insert(gradeEquivalence).values({
      id,
      fromScale: "percent",
      fromGrade: "70",
      toScale: "ukHonours",
      toGrade: "First",
      source,
    });
    return { id, words: [source] };
  },

  /** Creates an agreement, identified by the institution's id. */
  async agreement(w: Wayfare): Promise<Thing> {
    const at = await catalogueThings.institution(w);
    await w.services.database.db.insert(agreement).values({ institutionId: String(at.id) });
    return at;
  },
} satisfies Record<string, (w: Wayfare) => Promise<Thing>>;
