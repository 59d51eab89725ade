import { randomUUID } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { headText } from "#server/features/audit/verify-chain.ts";
import { unfinishedJobs } from "#server/platform/jobs.ts";
import { mailQueue } from "#server/platform/mail-queue.ts";
import {
  appliedMigration,
  knownMigrations,
  migrateTo,
  prepareDatabase,
} from "#server/platform/prepare-database.ts";
import { readSecret, saveSecret } from "#server/platform/session-secret.ts";
import { submit } from "#tests/support/applications.ts";
import { bid, product } from "#tests/support/auctions.ts";
import {
  backUp,
  emptyPlace,
  type Installation,
  newFile,
  ownerOf,
  problemsOf,
  restore,
  rowsOf,
} from "#tests/support/backups.ts";
import { Caller } from "#tests/support/caller.ts";
import { assignedStudent, documentsOf, upload } from "#tests/support/documents.ts";
import { fullProfile, type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { createProduct, filesOfPicture, productForm, readyPicture } from "#tests/support/pictures.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { checkAll } from "./check.ts";
import { createBackup } from "./create-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { verifyBackup } from "./verify-backup.ts";
import { writeArchive } from "./write-archive.ts";

const plain = { sessionSecret: null, passphrase: null, say: () => {}, mayBeEmpty: true };

let w: Wayfare;
const places: Installation[] = [];

async function place(variables?: Record<string, string>): Promise<Installation> {
  const installation = await emptyPlace(variables);
  places.push(installation);
  return installation;
}

beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());
afterEach(async () => {
  for (const installation of places.splice(0)) await installation.remove();
});

/** Fills every table that people fill, and stores files of both kinds. */
async function fillTables() {
  const { student } = await assignedStudent(w);
  expect((await student.caller.call("profile.save", { version: 0, profile: fullProfile })).status).toBe(200);
  expect(
    (await submit(student, { additionalInfo: "Tab\tbackslash \\ line\nend, naïve 日本 \\N" })).status,
  ).toBe(200);
  expect((await upload(student, { bytes: new Uint8Array(pdf(300_000)) })).status).toBe(200);
  const picture = await readyPicture(student);
  expect((await createProduct(student, productForm({ images: [picture] }))).status).toBe(200);
  const bidder = await person(w, "student", "active");
  const item = await product(w, student);
  for (const amount of [200, 300, 5000]) expect((await bid(bidder.caller, item, amount)).status).toBe(200);
  return { student, bidder, picture, item };
}

/** Returns a caller with a person's cookies on another server. */
function onServer({ app }: Wayfare, { caller }: Person): Caller {
  const copy = new Caller(app);
  for (const [name, value] of caller.cookies) copy.cookies.set(name, value);
  return copy;
}

/** Makes a backup while nothing else is written, and returns its rows too. */
async function quietBackup() {
  return await until(async () => {
    const before = await rowsOf(ownerOf(w));
    const backup = await backUp(w);
    const after = await rowsOf(ownerOf(w));
    return isDeepStrictEqual(before, after) && { ...backup, before };
  });
}

test("restores every row and every file into a new place, which then works", async () => {
  const { files: filesOfOthers } = await backUp(w);
  const { student, bidder, picture, item } = await fillTables();
  const { file, before, rows, files, missing, auditHead } = await quietBackup();
  expect(missing).toBe(0);
  expect((await verifyBackup(file, null)).manifest.auditHead).toBe(auditHead);
  expect(files - filesOfOthers).toBe(7);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(dirname(file))).toHaveLength(1);

  const target = await place();
  expect(await restore(file, target)).toEqual({ rows, files });
  expect(await rowsOf(target.access.owner)).toEqual(before);
  // The chain of the audit log is complete, ends where it did, and can be continued.
  const { head } = await checkAll(target.access.owner, target.storage.disk, () => {});
  expect(head && headText(head)).toBe(auditHead);
  expect(auditHead).toMatch(/^[1-9]\d*:[0-9a-f]{64}$/);
  expect(await problemsOf(target.access.owner, target.storage)).toEqual([]);

  const { dataDir, storageUrl } = target.environment;
  const variables = { DATA_DIR: dataDir, ...(storageUrl !== null && { STORAGE_URL: storageUrl }) };
  const restored = await wayfare({ on: target.access.application, variables });
  try {
    const [document] = await documentsOf(restored, student.id);
    const content = await restored.services.storage.disk.getBytes(document?.storageKey ?? "");
    expect(Buffer.from(content).equals(pdf(300_000))).toBe(true);
    const restoredFiles = await filesOfPicture(onServer(restored, student), picture);
    const originals = await filesOfPicture(student.caller, picture);
    for (const [at, { bytes }] of restoredFiles.entries()) expect(bytes).toEqual(originals[at]?.bytes);
    // Numbers continue after the last one.
    const other = await person(restored, "student", "active");
    expect((await submit(other)).status).toBe(200);
    expect((await bid(onServer(restored, bidder), item, 5001)).status).toBe(200);
    expect(await problemsOf(target.access.owner, target.storage)).toEqual([]);
  } finally {
    await restored.stop();
  }
});

/** Returns the job of a mail that still gathers notifications. */
async function jobOf(owner: Installation["access"]["owner"], mailId: string) {
  const client = new pg.Client(owner);
  await client.connect();
  const jobs = (await Array.fromAsync(unfinishedJobs(client, mailQueue))).flat();
  await client.end();
  return jobs.find(({ data }) => isDeepStrictEqual(data, { mail: "notification", data: { mailId } }));
}

test("restores mails that still gather notifications, to be sent with the same id at the same time", async () => {
  const { student, agent } = await assignedStudent(w);
  expect((await upload(student)).status).toBe(200);
  const { rows } = await w.services.database.db.execute<{ id: string }>(
    sql`select mail_id as id from open_digest where user_id = ${agent.id}`,
  );
  const mailId = rows[0]?.id ?? "";
  const job = await jobOf(ownerOf(w), mailId);
  expect(job).toBeDefined();
  const { file } = await backUp(w);
  const target = await place();
  await restore(file, target);
  const restored = await jobOf(target.access.owner, mailId);
  expect(restored?.id).toBe(job?.id);
  expect(new Date(restored?.startAfter ?? "")).toEqual(new Date(job?.startAfter ?? "-"));
});

test("the backup of an older version is brought up to date", async () => {
  const [old, target] = [await place(), await place()];
  const before = (await knownMigrations()).find(({ tag }) => tag === "0010_student-search");
  if (!before) throw new Error("there is no such migration");
  const client = new pg.Client(old.access.owner);
  await client.connect();
  await migrateTo(client, old.access.owner, before);
  await client.query(
    `insert into "user" (id, name, email, role, status, country)
     values ('u1', 'Ada Obi', 'ada@example.org', 'agent', 'approved', 'Nigeria')`,
  );
  await client.end();
  const file = await newFile();
  const { owner } = old.access;
  await createBackup(file, { ...plain, owner, files: old.storage.disk });
  expect((await verifyBackup(file, null)).manifest.migration).toEqual(before);

  expect(await restore(file, target)).toMatchObject({ rows: 1 });
  const [row] = (await rowsOf(target.access.owner)).get("user") ?? [];
  expect(row).toContain(",NG,");
  expect(await problemsOf(target.access.owner, target.storage)).toEqual([]);
});

describe("the session secret", () => {
  const sessionSecret = "kept in the folder of the data, 32 or more";

  test("is restored, and never replaces another one", async () => {
    const { file } = await backUp(w, { sessionSecret });
    const target = await place();
    await restore(file, target);
    expect(await readSecret(target.environment.dataDir)).toBe(sessionSecret);

    const occupied = await place();
    await saveSecret(occupied.environment.dataDir, "another one, also of at least 32 characters");
    await expect(restore(file, occupied)).rejects.toThrow("has a session-secret already");
    expect(await rowsOf(occupied.access.owner)).toEqual(new Map());
  });

  test("is not restored where SESSION_SECRET is set", async () => {
    const { file } = await backUp(w, { sessionSecret });
    const target = await place({ SESSION_SECRET: "a secret for tests, at least 32 long" });
    await restore(file, target);
    expect(await readSecret(target.environment.dataDir)).toBe(null);
  });
});

describe("nothing is changed by a restoration", () => {
  test("into a database that has rows", async () => {
    await person(w, "student", "active");
    const { file } = await backUp(w);
    const target = await place();
    await restore(file, target);
    const rows = await rowsOf(target.access.owner);
    await expect(restore(file, target)).rejects.toThrow("The database is not empty");
    expect(await rowsOf(target.access.owner)).toEqual(rows);
  });

  test("into a database on which Wayfare runs", async () => {
    const { file } = await backUp(w);
    const target = await place();
    await prepareDatabase(target.access);
    const other = await wayfare({ on: target.access.application });
    try {
      await expect(restore(file, target)).rejects.toThrow("Wayfare runs on this database");
    } finally {
      await other.stop();
    }
  });

  test("into a store with other files, unless an interrupted restoration left them", async () => {
    await fillTables();
    const { file, files } = await backUp(w);
    const target = await place();
    const foreign = `documents/cv/${randomUUID()}/${randomUUID()}`;
    await target.storage.disk.put(foreign, "somebody's");
    await expect(restore(file, target)).rejects.toThrow(
      `There are files already where files are kept (${foreign})`,
    );
    expect([...(await rowsOf(target.access.owner)).values()].flat()).toEqual([]);
    expect(await target.storage.disk.get(foreign)).toBe("somebody's");

    await target.storage.disk.delete(foreign);
    let count = 0;
    const breaking = {
      disk: target.storage.disk,
      async keep(key: string, body: AsyncIterable<Uint8Array>) {
        count += 1;
        if (count === files) throw new Error("the disk is full");
        await target.storage.keep(key, body);
      },
    };
    const breakingTarget = { ...target, storage: breaking, passphrase: null };
    const verified = await verifyBackup(file, null);
    await expect(restoreBackup(file, verified, breakingTarget)).rejects.toThrow("the disk is full");
    expect([...(await rowsOf(target.access.owner)).values()].flat()).toEqual([]);
    expect(await restore(file, target)).toMatchObject({ files });
    expect(await problemsOf(target.access.owner, target.storage)).toEqual([]);
  });

  test("into tables of a newer version", async () => {
    const [old, target] = [await place(), await place()];
    const [first] = await knownMigrations();
    if (!first) throw new Error("there are no migrations");
    const client = new pg.Client(old.access.owner);
    await client.connect();
    await migrateTo(client, old.access.owner, first);
    const manifest = {
      ...(await verifyBackup((await backUp(w)).file, null)).manifest,
      migration: await appliedMigration(client),
    };
    await client.end();
    const file = await newFile();
    await writeArchive(file, null, (archive) => archive.addJson("manifest.json", manifest));
    await prepareDatabase(target.access);
    await expect(restore(file, target)).rejects.toThrow("its tables are newer than the backup's");
  });
});

test("a backup replaces no existing file, and leaves nothing behind when it fails", async () => {
  const { file } = await backUp(w);
  const before = await readFile(file);
  const again = { ...plain, owner: ownerOf(w), files: w.services.storage.disk };
  await expect(createBackup(file, again)).rejects.toThrow("is there already");
  expect((await readFile(file)).equals(before)).toBe(true);

  await fillTables();
  const other = await newFile();
  const { disk } = w.services.storage;
  const failing = {
    exists: (key: string) => disk.exists(key),
    getMetaData: (key: string) => disk.getMetaData(key),
    getStream: () => Promise.reject(new Error("the store does not answer")),
  };
  await expect(createBackup(other, { ...again, files: failing })).rejects.toThrow(
    "the store does not answer",
  );
  expect(await readdir(dirname(other))).toEqual([]);
});
