import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { PictureMaker } from "#server/features/auctions/pictures/picture-maker.ts";
import { openDatabase } from "#server/platform/database.ts";
import { createLog } from "#server/platform/log.ts";
import { importExport } from "#tools/import/import-export.ts";
import { onDatabase, usableStorage } from "./find-database.ts";

const usage = "Which folder? Run: npm run import -- FOLDER [--write] [--report FILE]";

await onDatabase(async ({ application }, environment) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { write: { type: "boolean", default: false }, report: { type: "string" } },
  });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new Error(usage);
  const { write, report: file } = values;
  const log = createLog(environment.logLevel, environment.logFormat);
  const database = openDatabase(application, (err, what) => log.warn({ err }, what));
  try {
    const parts = { database, storage: await usableStorage(environment), pictures: new PictureMaker(log) };
    const report = await importExport(folder, parts, {
      write,
      adminEmails: environment.adminEmails,
      say: console.error,
    });
    if (file !== undefined) await writeFile(file, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 });
    for (const line of report.lines()) console.log(line);
    if (!write) console.log("Nothing was written. To do it: the same with --write.");
    if (report.refusals > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
});
