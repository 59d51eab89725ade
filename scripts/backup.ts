import { parseArgs } from "node:util";
import { createBackup, recordBackup } from "#server/backup/create-backup.ts";
import { backupIn, removeOldBackups } from "#server/backup/folder.ts";
import { explained } from "#server/platform/operator-error.ts";
import { readSecret } from "#server/platform/session-secret.ts";
import { backupPassphrase, operate, usableStorage, withExistingDatabase } from "./find-database.ts";

const usage = `npm run backup -- FILE
    writes database and files into one file, while Wayfare runs or not
npm run backup -- FOLDER [--keep NUMBER]
    writes a file named by the moment into the folder, then deletes all but the newest so many of them
npm run --silent backup -- -
    writes to standard output
--empty
    allows a database in which nobody has an account`;

const options = {
  keep: { type: "string" },
  empty: { type: "boolean", default: false },
  help: { type: "boolean" },
} as const;

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new Error(`${explained(error)}\n\n${usage}`, { cause: error });
  }
}

/** Returns how many backups of a folder to keep, or null for all. */
function numberToKeep(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new Error("--keep must be a number from 1 on.");
}

await operate(async (environment) => {
  const { positionals, values } = readArguments();
  const [target, ...others] = positionals;
  if (values.help) return console.log(usage);
  if (target === undefined || others.length > 0) throw new Error(`To which file?\n\n${usage}`);
  const keep = numberToKeep(values.keep);
  const passphrase = backupPassphrase();
  const place = target === "-" ? { file: "-", folder: null } : await backupIn(target, passphrase !== null);
  if (keep !== null && place.folder === null) throw new Error("--keep is for a folder, which must be there.");
  const isStream = place.file === "-";
  if (isStream && process.stdout.isTTY) throw new Error("Standard output is a terminal: name a file.");
  // Standard output must contain nothing but the backup.
  const report = isStream ? console.error : console.log;
  await withExistingDatabase(environment, async ({ owner }) => {
    const { disk } = await usableStorage(environment);
    const usesKept = environment.sessionSecret === null;
    const summary = await createBackup(isStream ? process.stdout : place.file, {
      owner,
      files: disk,
      sessionSecret: usesKept ? await readSecret(environment.dataDir) : null,
      passphrase,
      mayBeEmpty: values.empty,
      say: console.error,
    });
    await recordBackup(owner, summary);
    const { rows, files, missing, auditHead } = summary;
    const name = isStream ? "The backup" : place.file;
    report(
      `${name} has ${rows} rows and ${files} files. It is ${passphrase === null ? "not " : ""}encrypted.`,
    );
    if (auditHead !== null) report(`The audit log in it ends with ${auditHead}`);
    if (!usesKept) report("SESSION_SECRET is not in it: keep it as well.");
    if (missing > 0)
      console.error(
        `The store lacks ${missing} ${missing === 1 ? "file" : "files"} that rows name; the rest is in the backup. See npm run check.`,
      );
    if (keep !== null && place.folder !== null)
      for (const old of await removeOldBackups(place.folder, keep)) report(`Deleted ${old}.`);
  });
});
