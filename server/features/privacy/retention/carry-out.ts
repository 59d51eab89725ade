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
/** Number of rows that one transaction changes or deletes. */
const batchSize = 500;
/** Maximum number of accounts that one night erases or warns. The next night continues. */
const accountsPerNight = 2000;

/** Deletes data whose configured retention period is over. After a crash the next night finds the rest. */
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

/** Withdraws warnings that no longer apply: the rule was disabled or has more days, or an application was reopened. */
async function keepStudents({ database }: Services, days: number | null, now: Date): Promise<void> {
  const holds = days === null ? sql`false` : sql`(${toBeWarned(days, now)})`;
  await database.db
    .update(user)
    .set({ deletionDueAt: null })
    .where(and(isNotNull(user.deletionDueAt), eq(user.status, "active"), sql`not ${holds}`));
}

async function warnStudents(services: Services, days: number, now: Date): Promise<void> {
  for (let warned = 0; warned < accountsPerNight; warned += batchSize) {
    const count = await services.database.transaction((tx) => warnBatch(services, tx, days, now));
    if (count < batchSize) return;
  }
}

async function warnBatch(services: Services, tx: Transaction, days: number, now: Date): Promise<number> {
  const students = await tx
    .select({ id: user.id, lastLoginAt: user.lastLoginAt })
    .from(user)
    .where(and(isNull(user.deletionDueAt), toBeWarned(days, now)))
    .orderBy(asc(user.id))
    .limit(batchSize)
    // Skips locked accounts, because a student who is just logging in is no longer inactive.
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
  const ids = db
    .select({ id: deniedAgent.id })
    .from(deniedAgent)
    .where(lte(deniedAgent.deniedAt, until))
    .limit(batchSize);
  const count = await inBatches(async () => {
    const rows = await db
      .delete(deniedAgent)
      .where(inArray(deniedAgent.id, ids))
      .returning({ id: deniedAgent.id });
    return rows.length;
  });
  if (count > 0) await live.publish("agents", "{}");
}

async function removeNotifications({ database: { db } }: Services, until: Date): Promise<void> {
  const { userId, id, createdAt } = notification;
  const ids = db.select({ userId, id }).from(notification).where(lte(createdAt, until)).limit(batchSize);
  await inBatches(async () => {
    const { rowCount } = await db.delete(notification).where(sql`(${userId}, ${id}) in ${ids}`);
    return rowCount ?? 0;
  });
}

async function inBatches(removeBatch: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (;;) {
    const count = await removeBatch();
    removed += count;
    if (count < batchSize) return removed;
  }
}
