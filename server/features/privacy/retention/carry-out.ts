import { and, asc, eq, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { unusedUntil, warningDays } from "#domain/deletion.ts";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { type AuditEntry, recordAudit } from "#server/features/audit/commands.ts";
import { notification } from "#server/features/notifications/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import { queueMails } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { eraseDue, isDueForErasure } from "../erase-account.ts";
import { unusedAccountMail } from "../mails.ts";
import { isWithdrawn } from "./rules.ts";

const day = 24 * 3_600_000;
/** Rows that one transaction changes or removes. */
const batch = 500;
/** Accounts that one night erases or warns at most; the next night goes on. */
const accountsPerNight = 2000;

/** Deletes data that the configuration keeps only for some days. After a crash the next night finds the rest. */
export async function carryOutRetention(services: Services, now = new Date()): Promise<void> {
  const { deniedAgents, withdrawnStudents, notifications } = services.environment.retention;
  await keepStudents(services, withdrawnStudents, now);
  if (withdrawnStudents !== null) {
    await warnStudents(services, withdrawnStudents, now);
    const isDue = and(isDueForErasure, isWithdrawn(withdrawnStudents, now));
    await eraseDue(services, isDue, { by: "retention" }, accountsPerNight);
  }
  if (deniedAgents !== null) await removeDeniedAgents(services, before(now, deniedAgents));
  if (notifications !== null) await removeNotifications(services, before(now, notifications));
}

const before = (now: Date, days: number) => new Date(now.getTime() - days * day);
/** Selects students who must have been warned by now that their account ends. */
const toBeWarned = (days: number, now: Date) => isWithdrawn(days - warningDays, now);

/**
 * Takes warnings back that no longer hold: the rule was switched off or has more days, or an application was reopened.
 */
async function keepStudents({ database }: Services, days: number | null, now: Date): Promise<void> {
  const holds = days === null ? sql`false` : sql`(${toBeWarned(days, now)})`;
  await database.db
    .update(user)
    .set({ deletionDueAt: null })
    .where(and(isNotNull(user.deletionDueAt), eq(user.status, "active"), sql`not ${holds}`));
}

async function warnStudents(services: Services, days: number, now: Date): Promise<void> {
  for (let warned = 0; warned < accountsPerNight; warned += batch) {
    const some = await services.database.transaction((tx) => warnSome(services, tx, days, now));
    if (some < batch) return;
  }
}

async function warnSome(services: Services, tx: Transaction, days: number, now: Date): Promise<number> {
  const students = await tx
    .select({ id: user.id, lastLoginAt: user.lastLoginAt })
    .from(user)
    .where(and(isNull(user.deletionDueAt), toBeWarned(days, now)))
    .orderBy(asc(user.id))
    .limit(batch)
    // Locked accounts are skipped: somebody who is just logging in is not unused any more.
    .for("no key update", { skipLocked: true });
  for (const { id, lastLoginAt } of students)
    await tx
      .update(user)
      .set({ deletionDueAt: unusedUntil(lastLoginAt, days, now) })
      .where(eq(user.id, id));
  const entries = students.map(({ id }): AuditEntry => ({ action: "deletion-announced", subjectId: id }));
  await recordAudit(tx, ...entries);
  await queueMails(
    services.jobs,
    tx,
    unusedAccountMail,
    students.map(({ id }) => ({ data: { userId: id } })),
  );
  return students.length;
}

async function removeDeniedAgents({ database: { db }, live }: Services, until: Date): Promise<void> {
  const some = db
    .select({ id: deniedAgent.id })
    .from(deniedAgent)
    .where(lte(deniedAgent.deniedAt, until))
    .limit(batch);
  const count = await inBatches(async () => {
    const rows = await db
      .delete(deniedAgent)
      .where(inArray(deniedAgent.id, some))
      .returning({ id: deniedAgent.id });
    return rows.length;
  });
  if (count > 0) await live.publish("agents", "{}");
}

async function removeNotifications({ database: { db } }: Services, until: Date): Promise<void> {
  const { userId, id, createdAt } = notification;
  const some = db.select({ userId, id }).from(notification).where(lte(createdAt, until)).limit(batch);
  await inBatches(async () => {
    const { rowCount } = await db.delete(notification).where(sql`(${userId}, ${id}) in ${some}`);
    return rowCount ?? 0;
  });
}

async function inBatches(removeSome: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (;;) {
    const some = await removeSome();
    removed += some;
    if (some < batch) return removed;
  }
}
