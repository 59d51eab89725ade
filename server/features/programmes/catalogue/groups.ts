import { randomUUID } from "node:crypto";
import { and, asc, eq, isNull } from "drizzle-orm";
import { catalogueLimits, checkGroup, type NationalityGroup } from "#domain/catalogue.ts";
import { isAdmin } from "#domain/permission.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { isUniqueViolation, type Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { intakeDeadline, nationalityGroup, programmeIntake } from "../tables.ts";

/** Lists the groups of nationalities by name. */
export const listGroups = (db: Reader) =>
  db.select().from(nationalityGroup).orderBy(asc(nationalityGroup.name)).limit(catalogueLimits.groups);

/** Adds or changes a group of nationalities. Deadlines for it follow a new name. */
export async function saveGroup(
  { database }: Pick<Services, "database">,
  actor: Actor,
  { id, ...form }: NationalityGroup & { id: string | null },
): Promise<string> {
  const group = checkGroup(form);
  if ("code" in group) throw Refusal.of(group);
  try {
    return await database.transaction(async (tx) => {
      await lockActor(tx, actor, isAdmin);
      if (id === null && (await tx.$count(nationalityGroup)) >= catalogueLimits.groups)
        throw new Refusal("resource-exhausted", {
          message: `There can be ${catalogueLimits.groups} groups at most.`,
        });
      const row = { ...group, id: id ?? randomUUID() };
      if (id === null) await tx.insert(nationalityGroup).values(row);
      else {
        const { rowCount } = await tx.update(nationalityGroup).set(row).where(eq(nationalityGroup.id, id));
        if (rowCount === 0) throw new Refusal("not-found");
      }
      await recordAudit(tx, {
        action: "nationality-group-saved",
        ...actedBy(actor),
        detail: { group: group.name },
      });
      return row.id;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Refusal("already-exists", { field: "name", message: "Another group has this name." });
  }
}

const isForGroup = (id: string) => eq(intakeDeadline.groupId, id);

/** Removes a group that no deadline uses. The deadlines of dropped intakes are deleted with it. */
export async function removeGroup(
  { database }: Pick<Services, "database">,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const [group] = await tx
      .select({ name: nationalityGroup.name })
      .from(nationalityGroup)
      .where(eq(nationalityGroup.id, id))
      .for("update");
    if (!group) throw new Refusal("not-found");
    const [used] = await tx
      .select({ id: intakeDeadline.intakeId })
      .from(intakeDeadline)
      .innerJoin(programmeIntake, eq(programmeIntake.id, intakeDeadline.intakeId))
      .where(and(isForGroup(id), isNull(programmeIntake.droppedAt)))
      .limit(1);
    if (used)
      throw new Refusal("failed-precondition", {
        message: "Deadlines are for this group. Take it out of them first.",
      });
    await tx.delete(intakeDeadline).where(isForGroup(id));
    await tx.delete(nationalityGroup).where(eq(nationalityGroup.id, id));
    await recordAudit(tx, {
      action: "nationality-group-removed",
      ...actedBy(actor),
      detail: { group: group.name },
    });
  });
}
