import { createAdminLink } from "#server/features/account/commands/prepare-admins.ts";
import { openDatabase } from "#server/platform/database.ts";
import { onDatabase } from "./find-database.ts";

const [email] = process.argv.slice(2);

await onDatabase(async (access, environment) => {
  if (email === undefined) throw new Error("Whose link? Run: npm run admin -- EMAIL");
  const database = openDatabase(access.application, () => {});
  try {
    const { link } = await createAdminLink({ environment, database }, email);
    console.log(`Set the admin password of ${email} (works once, for 24 hours): ${link}`);
  } finally {
    await database.close();
  }
});
