import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { checkInstitutionForm, checkOtherNames } from "#domain/catalogue.ts";
import { isAdmin } from "#domain/permission.ts";
import { type InstitutionEntry, programmeLimits } from "#domain/programme.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { moveDeadlines } from "../intake-deadlines.ts";
import { refreshListing } from "../listing.ts";
import { institution, programme } from "../tables.ts";
import { forgetDifferent } from "./different-institutions.ts";

export type InstitutionForm = {
  id: string | null;
  version: number;
  institution: InstitutionEntry;
  otherNames: readonly string[];
};

const nameTaken = () =>
  new Refusal("already-exists", {
    field: "name",
    message: "This country has an institution of this name already.",
  });

/** Locks the programmes of institutions in the order of their ids, so that their listing can be refreshed. */
const lockProgrammes = (tx: Transaction, institutionIds: readonly string[]) =>
  tx
    .select({ id: programme.id })
    .from(programme)
    .where(inArray(programme.institutionId, [...institutionIds]))
    .orderBy(programme.id)
    .for("update");

/** Changes an institution. Keeps a former name, so that a repeated import still finds it. */
async function changeInstitution(
  tx: Transaction,
  { id, version, ...fields }: { id: string; version: number; otherNames: string[] } & InstitutionEntry,
): Promise<number> {
  const [row] = await tx
    .select()
    .from(institution)
    .where(and(eq(institution.id, id), isNull(institution.joinedTo)))
    .for("update");
  if (!row) throw new Refusal("not-found");
  if (row.version !== version) throw Refusal.conflict();
  await lockProgrammes(tx, [id]);
  const isRenamed = row.name.toLowerCase() !== fields.name.toLowerCase();
  const otherNames = [...new Set([...fields.otherNames, ...(isRenamed ? [row.name] : [])])];
  await tx
    .update(institution)
    .set({ ...fields, otherNames, version: version + 1 })
    .where(eq(institution.id, id));
  if (row.zone !== fields.zone) await moveDeadlines(tx, eq(programme.institutionId, id));
  await refreshListing(tx, eq(programme.institutionId, id));
  return version + 1;
}

/** Adds or changes an institution, refreshes its programmes' listing, and returns its id and version. */
export async function saveInstitution(
  { database }: Pick<Services, "database">,
  actor: Actor,
  form: InstitutionForm,
): Promise<{ id: string; version: number }> {
  const terms = checkInstitutionForm(form.institution);
  if ("code" in terms) throw Refusal.of(terms);
  const otherNames = checkOtherNames(form.otherNames, terms.name);
  if ("code" in otherNames) throw Refusal.of(otherNames);
  const id = form.id ?? randomUUID();
  try {
    return await database.transaction(async (tx) => {
      await lockActor(tx, actor, isAdmin);
      const version =
        form.id === null
          ? 1
          : await changeInstitution(tx, { ...terms, otherNames, id, version: form.version });
      if (form.id === null) await tx.insert(institution).values({ id, ...terms, otherNames });
      await recordAudit(tx, {
        action: "institution-saved",
        ...actedBy(actor),
        detail: { institution: terms.name },
      });
      return { id, version };
    });
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}

/**
 * Joins an institution into another of its country: moves its programmes, with deadlines in the other's time zone, and
 * adds its names. `moveAgreement` moves the data of another feature, which this one may not read.
 */
export async function joinInstitution(
  { database }: Pick<Services, "database">,
  actor: Actor,
  { id, into }: { id: string; into: string },
  moveAgreement: (tx: Transaction, from: string, into: string) => Promise<void>,
): Promise<void> {
  if (id === into)
    throw new Refusal("form/incomplete", { field: "into", message: "Please choose another institution." });
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const rows = await tx
      .select()
      .from(institution)
      .where(and(inArray(institution.id, [id, into]), isNull(institution.joinedTo)))
      .orderBy(institution.id)
      .for("update");
    const [from, other] = [rows.find((row) => row.id === id), rows.find((row) => row.id === into)];
    if (!from || !other) throw new Refusal("not-found");
    if (from.country !== other.country)
      throw new Refusal("failed-precondition", { message: "The two are in different countries." });
    await lockProgrammes(tx, [id, into]);
    const otherNames = [...new Set([...other.otherNames, from.name, ...from.otherNames])].filter(
      (name) => name !== other.name && name.length <= programmeLimits.institution,
    );
    await tx
      .update(programme)
      .set({ institutionId: into, version: sql`${programme.version} + 1` })
      .where(eq(programme.institutionId, id));
    await tx.update(institution).set({ joinedTo: into }).where(eq(institution.joinedTo, id));
    await tx
      .update(institution)
      .set({ joinedTo: into, version: from.version + 1 })
      .where(eq(institution.id, id));
    await tx
      .update(institution)
      .set({ otherNames, version: other.version + 1 })
      .where(eq(institution.id, into));
    await forgetDifferent(tx, id);
    await moveAgreement(tx, id, into);
    await moveDeadlines(tx, eq(programme.institutionId, into));
    await refreshListing(tx, eq(programme.institutionId, into));
    await recordAudit(tx, {
      action: "institutions-joined",
      ...actedBy(actor),
      detail: { institution: from.name, into: other.name },
    });
  });
}
