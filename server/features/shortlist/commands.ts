import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { ShortlistItem } from "#contract/shortlist.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { mayFollow } from "#domain/permission.ts";
import {
  checkShortlistItem,
  isSameCourse,
  onShortlistAlready,
  type ShortlistForm,
  shortlistFull,
  shortlistLimits,
} from "#domain/shortlist.ts";
import { standingOf } from "#server/features/account/queries.ts";
import { type Actor, type AuditAction, recordAudit } from "#server/features/audit/commands.ts";
import { touchDesks } from "#server/features/notifications/commands.ts";
import { type GuidedStudent, lockStudent } from "#server/features/students/queries.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { shortlistItem } from "./tables.ts";

export type AddOutcome =
  | { kind: "added"; item: ShortlistItem }
  | { kind: "problem"; problem: Problem }
  | { kind: "notFound" };

/** Adds an item to a student's shortlist: the student's own doing, an agent's or an admin's. */
export async function addItem(
  services: Services,
  actor: Actor,
  studentId: string,
  form: ShortlistForm,
): Promise<AddOutcome> {
  const checked = checkShortlistItem(form);
  if ("code" in checked) return { kind: "problem", problem: checked };
  return await services.database.transaction(async (tx): Promise<AddOutcome> => {
    // A guide is locked before the student, in the order of whoever takes that guide away.
    if (actor.userId !== studentId) await standingOf(tx, actor.userId);
    // Exclusive: what is on the list must still be so when the row is there.
    const student = await lockStudent(tx, studentId, "update");
    if (!student || !(await mayChange(tx, actor, studentId))) return { kind: "notFound" };
    const listed = await coursesOf(tx, studentId);
    if (listed.some((each) => isSameCourse(each, checked)))
      return { kind: "problem", problem: onShortlistAlready };
    if (listed.length >= shortlistLimits.items) return { kind: "problem", problem: shortlistFull };
    const item = { id: randomUUID(), ...checked };
    await tx.insert(shortlistItem).values({ ...item, studentId, addedBy: actor.userId });
    await tell(services, tx, actor, student, "shortlist-added", item.id);
    return { kind: "added", item };
  });
}

/** Removes an item. False when there is none, any more or at all, or when it is none of theirs. */
export async function removeItem(services: Services, actor: Actor, id: string): Promise<boolean> {
  return await services.database.transaction(async (tx) => {
    const [found] = await tx
      .select({ studentId: shortlistItem.studentId })
      .from(shortlistItem)
      .where(eq(shortlistItem.id, id));
    if (!found || !(await mayChange(tx, actor, found.studentId))) return false;
    const student = await lockStudent(tx, found.studentId);
    if (!student) return false;
    const removed = await tx
      .delete(shortlistItem)
      .where(eq(shortlistItem.id, id))
      .returning({ id: shortlistItem.id });
    if (removed.length === 0) return false;
    await tell(services, tx, actor, student, "shortlist-removed", id);
    return true;
  });
}

async function mayChange(tx: Transaction, actor: Actor, studentId: string): Promise<boolean> {
  const standing = await standingOf(tx, actor.userId);
  return standing !== null && mayFollow({ ...standing, id: actor.userId }, studentId);
}

async function coursesOf(tx: Transaction, studentId: string): Promise<ShortlistForm[]> {
  return await tx
    .select({ university: shortlistItem.university, course: shortlistItem.course, url: shortlistItem.url })
    .from(shortlistItem)
    .where(eq(shortlistItem.studentId, studentId))
    .limit(shortlistLimits.items);
}

async function tell(
  services: Services,
  tx: Transaction,
  actor: Actor,
  student: GuidedStudent,
  action: Extract<AuditAction, `shortlist-${string}`>,
  item: string,
) {
  await recordAudit(tx, {
    action,
    actorId: actor.userId,
    subjectId: student.id,
    address: actor.address,
    detail: { item },
  });
  await touchDesks(services, tx, student.id, student.assignedAgentId, actor.userId);
}
