import { assemble } from "#server/compose.ts";
import { adminCommand, isAdminCommand, usage } from "#server/features/admin/command-line.ts";
import { createAdminLink } from "#server/features/sign-in/commands/prepare-admins.ts";
import { openDatabase } from "#server/platform/database.ts";
import type { Environment } from "#server/platform/environment.ts";
import { createLog } from "#server/platform/log.ts";
import type { DatabaseAccess } from "#server/platform/prepare-database.ts";
import { onExistingDatabase } from "./find-database.ts";

const [first, ...others] = process.argv.slice(2);

// A reader such as `head` may stop early: the next write then fails and ends the command.
process.stdout.on("error", () => {});

/** Waits until the text is read, since an export may be larger than memory. */
const write = (text: string) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

async function printLink({ application }: DatabaseAccess, environment: Environment, email: string) {
  const database = openDatabase(application, () => {});
  try {
    const { link } = await createAdminLink({ environment, database }, email);
    console.log(`Set the admin password of ${email} (works once, for 24 hours): ${link}`);
  } finally {
    await database.close();
  }
}

if (first === undefined || first === "--help" || first === "help") console.log(usage);
else
  await onExistingDatabase(async (access, environment) => {
    if (first.includes("@")) return await printLink(access, environment, first);
    if (!isAdminCommand(first))
      throw new Error(`There is no command ${first}. \`npm run admin\` lists them.`);
    // Errors are thrown, and standard output is for the answer.
    const { services, stop } = await assemble(environment, access.application, createLog("silent"));
    try {
      await adminCommand(services, [first, ...others], write);
    } finally {
      await stop();
    }
  });
