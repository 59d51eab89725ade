import { createBackup } from "#server/backup/create-backup.ts";
import { existingSecret } from "#server/platform/session-secret.ts";
import { backupPassphrase, operate, usableStorage, withDatabase } from "./find-database.ts";

const [file] = process.argv.slice(2);

await operate(async (environment) => {
  if (file === undefined) throw new Error("To which file? Run: npm run backup -- FILE");
  const passphrase = backupPassphrase();
  await withDatabase(environment, async ({ owner }) => {
    const { disk } = await usableStorage(environment);
    const usesKept = environment.sessionSecret === null;
    const { rows, files, missing, auditHead } = await createBackup(file, {
      owner,
      files: disk,
      sessionSecret: usesKept ? await existingSecret(environment.dataDir) : null,
      passphrase,
      say: console.error,
    });
    console.log(
      `${file} has ${rows} rows and ${files} files. It is ${passphrase === null ? "not " : ""}encrypted.`,
    );
    if (auditHead !== null) console.log(`The audit log in it ends with ${auditHead}`);
    if (!usesKept) console.log("SESSION_SECRET is not in it: keep it as well.");
    if (missing > 0)
      console.error(
        `The store lacks ${missing} files that rows name; the rest is in the backup. See npm run check.`,
      );
  });
});
