import { and, asc, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import { inactiveStatuses } from "#domain/account.ts";
import { operator } from "#domain/audit.ts";
import { normaliseEmail } from "#domain/email.ts";
import { keyOf } from "#server/features/account/limits.ts";
import { type Account, lockAccount } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { erasedOn } from "#server/features/auctions/settlement/erased-on.ts";
import { auctionProduct } from "#server/features/auctions/tables.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { removeUnrecorded } from "#server/features/files/tidy-files.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { removeJobsAbout } from "#server/platform/jobs.ts";
import type { Services } from "#server/services.ts";
import { tablesOfPeople } from "./tables-of-people.ts";

/**
 * Erases an account everywhere, in one transaction: rows, queued mails, sessions, links, counters, and notifications to
 * others about it. Its files are deleted after the commit, or by the nightly job that finds files without a record. The
 * list of tables says what remains, and why. Returns false without erasing anything if `erasureIsDue` rejects the
 * locked account, for example because a login came first.
 */
export async function eraseAccount(
  services: Services,
  id: string,
  erasureIsDue: (account: Account, tx: Transaction) => boolean | Promise<boolean>,
  by: { by: string },
): Promise<boolean> {
  const files = await services.database.transaction(async (tx) => {
    const account = await lockAccount(tx, id, "update");
    if (!account || !(await erasureIsDue(account, tx))) return null;
    const keys = await eraseRows(services, tx, account);
    await recordAudit(tx, { action: "account-erased", subjectId: id, detail: by });
    return keys;
  });
  if (files === null) return false;
  await removeFiles(services, files);
  return true;
}

async function eraseRows(services: Services, tx: Transaction, account: Account): Promise<string[]> {
  const { id, email } = account;
  // Releases an agent's students, and notifies them and the admins.
  await services.accountEvents.lost(services, tx, {
    ...account,
    actor: null,
    cause: "erased",
    keepsStudents: false,
  });
  await services.sessions.endAll(tx, id);
  const files = await filesOf(tx, id);
  const products = await tx
    .select({ id: auctionProduct.id })
    .from(auctionProduct)
    .where(eq(auctionProduct.sellerId, id));
  await removeJobsAbout(tx, [id, email]);
  const subjects = [
    id,
    email,
    `security-mail-logins:${id}`,
    `security-mail-changes:${id}`,
    `wrong-codes:${id}`,
  ];
  const person = { ...account, limitKeys: subjects.map(keyOf) };
  for (const { erase = [] } of tablesOfPeople)
    if (erase !== "cascade") for (const statement of erase) await tx.execute(statement(person));
  await broadcastDashboards(services, tx, "students", account.assignedAgentId);
  if (account.role === "agent") await services.live.publish("agents", "{}", tx);
  tx.afterCommit(() => services.products.changed(products.map((each) => each.id)));
  return files;
}

/** Returns the storage keys of an account's files. */
async function filesOf(tx: Transaction, id: string): Promise<string[]> {
  const files = await tx.select({ key: storedFile.key }).from(storedFile).where(eq(storedFile.ownerId, id));
  return files.map(({ key }) => key);
}

/** Deletes the files. After a failure, the nightly job finds them, because no record names them any more. */
async function removeFiles(services: Services, files: readonly string[]): Promise<void> {
  try {
    await removeUnrecorded(services, files);
  } catch (error) {
    services.log.error({ err: error }, "files of an erased account are left for the night");
  }
}

/** Number of accounts that one query returns. */
const batchSize = 500;

/**
 * Erases the accounts that are due, each in a transaction of its own and `max` at most. One that fails is logged and
 * left for the next night, and the others continue; after a crash the next night finds the rest.
 */
export async function eraseDue(
  services: Services,
  isDue: SQL | undefined,
  by: { by: string },
  max = Number.POSITIVE_INFINITY,
): Promise<void> {
  let after = "";
  for (let accounts = 0; accounts < max; accounts += batchSize) {
    const due = await services.database.db
      .select({ id: user.id })
      .from(user)
      .where(and(isDue, gt(user.id, after)))
      .orderBy(asc(user.id))
      .limit(batchSize);
    for (const { id } of due) {
      after = id;
      // The check runs again under the account's lock.
      const isStillDue = async (_: Account, tx: Transaction) =>
        (await tx.$count(user, and(eq(user.id, id), isDue))) > 0;
      await eraseAccount(services, id, isStillDue, by).catch((error: unknown) =>
        services.log.error({ err: error, account: id }, "an account could not be erased"),
      );
    }
    if (due.length < batchSize) return;
  }
}

/** Selects accounts that are due and no longer kept by a bid or sale, in a query of `user`. */
export const isDueForErasure = and(lte(user.deletionDueAt, sql`now()`), sql`${erasedOn} <= now()`);

/** Erases the accounts whose holders asked for it long enough ago. */
export const eraseDueAccounts = (services: Services): Promise<void> =>
  eraseDue(services, and(isDueForErasure, inArray(user.status, [...inactiveStatuses])), { by: "holder" });

export type OperatorErasure = "erased" | "notFound" | "notDisabled";

/** Erases a disabled account immediately, for an operator. */
export async function eraseByEmail(services: Services, email: string): Promise<OperatorErasure> {
  const { db } = services.database;
  const [row] = await db
    .select({ id: user.id })
    .from(user)
    .where(eq(user.email, normaliseEmail(email)));
  if (!row) return "notFound";
  const erased = await eraseAccount(
    services,
    row.id,
    async ({ id, status }, tx) => {
      // Disabling has already removed their items and bids, ended their sessions and released an agent's students.
      if (status !== "disabled") return false;
      await tx.update(user).set({ deletionDueAt: sql`now()` }).where(eq(user.id, id));
      return true;
    },
    { by: operator },
  );
  return erased ? "erased" : "notDisabled";
}
