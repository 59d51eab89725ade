import { restoreBackup } from "#server/backup/restore-backup.ts";
import { verifyBackup } from "#server/backup/verify-backup.ts";
import { backupPassphrase, operate, usableStorage, withDatabase } from "./find-database.ts";
import { reportCheck } from "./report-check.ts";

const [file] = process.argv.slice(2);

await operate(async (environment) => {
  if (file === undefined) throw new Error("From which file? Run: npm run restore -- FILE");
  const passphrase = backupPassphrase();
  const verified = await verifyBackup(file, passphrase);
  await withDatabase(environment, async (access) => {
    const storage = await usableStorage(environment);
    const { rows, files } = await restoreBackup(file, verified, { access, storage, environment, passphrase });
    console.log(`Restored ${rows} rows and ${files} files, as they were at ${verified.manifest.createdAt}.`);
    if (verified.sessionSecret === null && environment.sessionSecret === null)
      console.log("The session secret is not in the backup: set SESSION_SECRET to what it was.");
    if (
      verified.sessionSecret !== null &&
      ![null, verified.sessionSecret].includes(environment.sessionSecret)
    )
      console.log(
        "SESSION_SECRET is used in place of the backup's: links in mails and admins' authenticators stop working.",
      );
    await reportCheck(access.owner, storage.disk);
  });
});
