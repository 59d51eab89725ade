import { type Erasure, eraseAccount } from "#server/features/erasure/erase-account.ts";
import { onDatabase } from "./find-database.ts";

const refusals: Record<Exclude<Erasure, "erased">, string> = {
  notFound: "Nobody has that email address. Nothing was changed.",
  notDisabled:
    "This account still works. Disable it first: on the dashboard, or an admin by ADMIN_EMAILS and a restart.",
};

const [email] = process.argv.slice(2);

await onDatabase(async ({ owner }) => {
  if (email === undefined) throw new Error("Whose account? Run: npm run erase -- EMAIL");
  const outcome = await eraseAccount(owner, email);
  if (outcome !== "erased") throw new Error(refusals[outcome]);
  console.log(`${email} is erased. Files are deleted within a day, old backups are yours to delete.`);
});
