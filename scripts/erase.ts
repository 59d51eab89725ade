import { assemble } from "#server/compose.ts";
import { eraseByEmail, type OperatorErasure } from "#server/features/privacy/erase-account.ts";
import { createLog } from "#server/platform/log.ts";
import { onExistingDatabase } from "./find-database.ts";

const refusals: Record<Exclude<OperatorErasure, "erased">, string> = {
  notFound: "Nobody has that email address. Nothing was changed.",
  notDisabled:
    "This account still works. Disable it first: on the dashboard, or an admin by ADMIN_EMAILS and a restart.",
};

const [email] = process.argv.slice(2);

await onExistingDatabase(async ({ application }, environment) => {
  if (email === undefined) throw new Error("Whose account? Run: npm run erase -- EMAIL");
  const { services, stop } = await assemble(environment, application, createLog("silent"));
  try {
    const outcome = await eraseByEmail(services, email);
    if (outcome !== "erased") throw new Error(refusals[outcome]);
  } finally {
    await stop();
  }
  console.log(`${email} is erased. Old backups are yours to delete.`);
});
