import type { AccountRow } from "#contract/accounts.ts";
import { csvLine } from "#server/platform/csv.ts";
import type { Database } from "#server/platform/database.ts";
import { type AccountQuery, listAccounts } from "./accounts.ts";

const atOnce = <Found>(work: () => Promise<Found>) => work();

/** All accounts that a query finds, newest first, a page at a time. */
export async function* allAccounts(
  database: Pick<Database, "db" | "searchDb">,
  query: Omit<AccountQuery, "cursor">,
): AsyncGenerator<AccountRow[]> {
  let cursor: AccountQuery["cursor"] = null;
  do {
    const page: Awaited<ReturnType<typeof listAccounts>> = await listAccounts(
      database,
      { ...query, cursor },
      atOnce,
    );
    yield page.accounts;
    cursor = page.next;
  } while (cursor);
}

export const accountHeader = csvLine([
  "Email",
  "Name",
  "Role",
  "Status",
  "Verified",
  "Since (UTC)",
  "Last login (UTC)",
  "Students",
  "Id",
]);

export const accountLine = (account: AccountRow): string =>
  csvLine([
    account.email,
    account.name,
    account.role,
    account.status,
    account.emailVerified ? "yes" : "no",
    account.since.toISOString(),
    account.lastLogin?.toISOString() ?? "",
    String(account.students),
    account.id,
  ]);
