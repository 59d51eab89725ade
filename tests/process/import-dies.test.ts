import { sql } from "drizzle-orm";
import { expect, inject, test } from "vitest";
import { importReport } from "#contract/catalogue-import.ts";
import { buildPages } from "#scripts/build.ts";
import { programme, programmeFee, programmeIntake } from "#server/features/programmes/tables.ts";
import { advisoryLocks } from "#server/platform/advisory-locks.ts";
import { person } from "#tests/support/factories.ts";
import {
  dryRunOf,
  programmeForm,
  programmeRowOf,
  programmesFile,
  sendProgrammes,
} from "#tests/support/programme-files.ts";
import { dataFolder, startServer } from "#tests/support/server-process.ts";
import { freshDatabase, until, wayfare } from "#tests/support/wayfare.ts";

const rows = 10_000;

test(`an import of ${rows} programmes whose server is killed in the middle ends, once repeated, as if it had run once`, async () => {
  buildPages();
  const database = await freshDatabase();
  const folder = await dataFolder();
  const secret = { SESSION_SECRET: "a secret for several nodes, long enough" };
  const { host, owner, application } = inject("postgres");
  const urlAs = (role: string) => `postgres://${role}@localhost/${database.address.database}?host=${host}`;
  const dying = await startServer({
    DATABASE_URL: urlAs(application),
    DATABASE_MIGRATION_URL: urlAs(owner),
    DATA_DIR: folder.path,
    ...secret,
  });
  const w = await wayfare({ variables: secret, on: database.address });
  const { db } = w.services.database;
  const { caller } = await person(w, "admin", "active");
  const fees = programmeForm.fees;
  const file = programmesFile(
    "feed",
    Array.from({ length: rows }, (_, at) =>
      programmeRowOf(String(at), {
        months: (at % 48) + 1,
        fees: fees.map((fee) => ({ ...fee, amount: fee.amount + at })),
      }),
    ),
  );
  const { hash } = await dryRunOf(caller, file);
  const running = fetch(`${dying.url}/files/programme-imports?format=json&run=${hash}`, {
    method: "POST",
    headers: {
      "content-type": "application/octet-stream",
      "sec-fetch-site": "same-origin",
      "x-csrf-token": "orpc",
      cookie: caller.cookie,
    },
    body: file,
  }).then(
    ({ status }) => status,
    () => "broken off",
  );
  await until(async () => (await db.$count(programme)) >= rows / 4);
  await dying.kill();
  expect(await running).toBe("broken off");
  const partly = await db.$count(programme);
  expect(partly).toBeLessThan(rows);
  // PostgreSQL gives the import's lock back once it sees that the process is gone.
  await until(async () => {
    const held = await db.execute(
      sql`select from pg_locks where locktype = 'advisory' and objid = ${advisoryLocks.programmes}`,
    );
    return held.rows.length === 0;
  });

  const nothing = { new: 0, changed: 0, unchanged: 0, refused: 0 };
  const run = async () =>
    importReport.parse(await (await sendProgrammes(caller, file, { run: hash })).json());
  const repeated = await run();
  const after = await db.$count(programme);
  expect(repeated.counts).toEqual({ ...nothing, new: rows - partly, unchanged: partly });
  expect([after, await db.$count(programmeIntake), await db.$count(programmeFee)]).toEqual([
    rows,
    rows,
    rows,
  ]);
  const again = await run();
  expect({ ...again.counts, missing: again.missing.count }).toEqual({
    ...nothing,
    unchanged: rows,
    missing: 0,
  });
  const { imports } = await caller.api.catalogue.imports();
  expect(imports).toMatchObject([
    { source: "feed", added: rows, changed: 0, finishedAt: expect.any(Date), undoable: true },
  ]);
  await w.stop();
  await folder.remove();
  await database.drop();
});
