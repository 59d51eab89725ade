import { hash, randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { deadlineInstant } from "#domain/deadline.ts";
import type { ProgrammeEntry } from "#domain/programme.ts";
import type { Requirement, RequirementSet } from "#domain/requirement.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import {
  entryRequirements,
  intakeDeadline,
  nationalityGroup,
  programme,
  programmeFee,
  programmeIntake,
  requirement,
  requirementSet,
} from "./tables.ts";

/** Writes a value with the names of its objects in order, so that equal values have one text. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
const hashOf = (value: unknown): string => hash("sha256", canonical(value));

/** Returns the id of each of the requirements, which get a row if they have none. */
async function requirementIds(tx: Transaction, all: readonly Requirement[]): Promise<Map<string, number>> {
  const byHash = new Map(all.map((content) => [hashOf(content), content]));
  // In the order of their hashes, so that two transactions never wait for each other.
  const rows = Array.from(byHash, ([key, content]) => ({ hash: key, content }));
  rows.sort((one, other) => (one.hash < other.hash ? -1 : 1));
  await tx.insert(requirement).values(rows).onConflictDoNothing();
  const stored = await tx
    .select({ id: requirement.id, hash: requirement.hash })
    .from(requirement)
    .where(inArray(requirement.hash, [...byHash.keys()]));
  return new Map(stored.map((row) => [row.hash, row.id]));
}

/** Returns the id of these entry requirements, which are stored once however many programmes have them. */
async function entryRequirementsId(tx: Transaction, sets: readonly RequirementSet[]): Promise<number | null> {
  if (sets.length === 0) return null;
  const key = hashOf(sets);
  const stored = () =>
    tx.select({ id: entryRequirements.id }).from(entryRequirements).where(eq(entryRequirements.hash, key));
  const [before] = await stored();
  if (before) return before.id;
  const ids = await requirementIds(tx, sets.flat());
  const [added] = await tx
    .insert(entryRequirements)
    .values({ hash: key })
    .onConflictDoNothing()
    .returning({ id: entryRequirements.id });
  const id = added?.id ?? (await stored())[0]?.id;
  if (id === undefined) throw new Error("The entry requirements were neither added nor there");
  if (added)
    await tx.insert(requirementSet).values(
      sets.map((set, place) => ({
        entryRequirementsId: id,
        place,
        requirementIds: set.flatMap((each) => ids.get(hashOf(each)) ?? []),
      })),
    );
  return id;
}

/** Returns the ids of the groups of nationalities that the deadlines name. Throws `form/incomplete` for an unknown one. */
async function groupIds(tx: Transaction, { intakes }: ProgrammeEntry): Promise<Map<string, string>> {
  const names = new Set(
    intakes.flatMap(({ deadlines }) => deadlines.flatMap(({ group }) => (group === null ? [] : [group]))),
  );
  if (names.size === 0) return new Map();
  const rows = await tx
    .select({ id: nationalityGroup.id, name: nationalityGroup.name })
    .from(nationalityGroup)
    .where(inArray(nationalityGroup.name, [...names]));
  const ids = new Map(rows.map(({ id, name }) => [name, id]));
  for (const name of names)
    if (!ids.has(name))
      throw new Refusal("form/incomplete", {
        field: "intakes",
        message: `There is no group of nationalities called "${name}".`,
      });
  return ids;
}

async function storeIntakes(tx: Transaction, id: string, entry: ProgrammeEntry, zone: string): Promise<void> {
  const groups = await groupIds(tx, entry);
  await tx
    .update(programmeIntake)
    .set({ droppedAt: sql`now()` })
    .where(and(eq(programmeIntake.programmeId, id), isNull(programmeIntake.droppedAt)));
  for (const { year, month, state, deadlines } of entry.intakes) {
    const [stored] = await tx
      .insert(programmeIntake)
      .values({ id: randomUUID(), programmeId: id, year, month, state })
      .onConflictDoUpdate({
        target: [programmeIntake.programmeId, programmeIntake.year, programmeIntake.month],
        set: { state, droppedAt: null },
      })
      .returning({ id: programmeIntake.id });
    if (!stored) throw new Error("The intake was not stored");
    await tx.delete(intakeDeadline).where(eq(intakeDeadline.intakeId, stored.id));
    if (deadlines.length > 0)
      await tx.insert(intakeDeadline).values(
        deadlines.map(({ kind, group, date, time, hard }) => ({
          intakeId: stored.id,
          kind,
          groupId: group === null ? null : (groups.get(group) ?? null),
          date,
          time,
          hard,
          dueAt: deadlineInstant({ date, time, zone }),
        })),
      );
  }
}

const slugWords = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 80);

/** Writes the address of a new programme: its words for people, and eight digits of its id, which make it unique. */
const newSlug = (title: string, institutionName: string, id: string): string =>
  [slugWords(title), slugWords(institutionName), id.slice(0, 8)].filter((part) => part !== "").join("-");

type StoredInstitution = {
  id: string;
  name: string;
  country: "CA" | "IE" | "AE" | "GB" | "US";
  zone: string;
};

/**
 * Stores a checked entry as a new programme, or in place of what a programme has. The caller holds the programme's lock,
 * refreshes the listing and records who did it. Returns the programme's id and version.
 */
export async function storeProgramme(
  tx: Transaction,
  {
    id: existing,
    institution,
    entry,
    checkedBy,
  }: {
    id: string | null;
    institution: StoredInstitution;
    entry: ProgrammeEntry;
    checkedBy: string | null;
  },
): Promise<{ id: string; version: number }> {
  const id = existing ?? randomUUID();
  const { title, level, field, award, months, mode, language, url, checkedOn, source, sourceId, sample } =
    entry;
  const columns = {
    institutionId: institution.id,
    country: institution.country,
    title,
    level,
    field,
    award,
    months,
    mode,
    language,
    url,
    checkedOn,
    checkedBy,
    source,
    sourceId,
    sample,
    entryRequirementsId: await entryRequirementsId(tx, entry.requirementSets),
  };
  const version = sql`${programme.version} + 1`;
  const [stored] =
    existing === null
      ? await tx
          .insert(programme)
          .values({ id, slug: newSlug(title, institution.name, id), ...columns })
          .returning({ version: programme.version })
      : await tx
          .update(programme)
          .set({ ...columns, version, removedAt: null })
          .where(eq(programme.id, id))
          .returning({ version: programme.version });
  if (!stored) throw new Refusal("not-found");
  await storeIntakes(tx, id, entry, institution.zone);
  await tx.delete(programmeFee).where(eq(programmeFee.programmeId, id));
  if (entry.fees.length > 0)
    await tx.insert(programmeFee).values(entry.fees.map((fee) => ({ programmeId: id, ...fee })));
  return { id, version: stored.version };
}
