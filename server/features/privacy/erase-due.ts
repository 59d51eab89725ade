import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import type { Services } from "#server/services.ts";
import { eraseAccount } from "./erase-account.ts";

/** Accounts that are looked for at once; each is erased in a transaction of its own. */
const batch = 100;

/**
 * Erases the accounts whose holders asked for it long enough ago. One that fails is logged and left for the next night,
 * the others go on; after a crash the next night finds the rest.
 */
export async function eraseDueAccounts(services: Services): Promise<void> {
  const isToBeErased = (account: { status: string; isDue: boolean }) =>
    account.status === "disabled" && account.isDue;
  let after = "";
  for (;;) {
    const due = await services.database.db
      .select({ id: user.id })
      .from(user)
      .where(and(lte(user.deletionDueAt, sql`now()`), eq(user.status, "disabled"), gt(user.id, after)))
      .orderBy(asc(user.id))
      .limit(batch);
    for (const { id } of due) {
      after = id;
      await eraseAccount(services, id, isToBeErased, { by: "holder" }).catch((error: unknown) =>
        services.log.error({ err: error, account: id }, "an account could not be erased"),
      );
    }
    if (due.length < batch) return;
  }
}
