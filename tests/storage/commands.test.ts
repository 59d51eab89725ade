import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { storedFiles } from "#server/platform/orphans.ts";
import type { DatabaseAccess } from "#server/platform/prepare-database.ts";
import type { Storage } from "#server/platform/storage.ts";
import { emptyPlace, type Installation, newFile } from "#tests/support/backups.ts";
import { upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { readyPicture } from "#tests/support/pictures.ts";
import { launchServer, messageOf } from "#tests/support/server-process.ts";
import { newBucket, type S3Access, s3Url } from "#tests/support/stores.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const access: S3Access = inject("s3") ?? { host: "", key: "", secret: "" };

let w: Wayfare;
const places: Installation[] = [];
beforeAll(async () => {
  w = await wayfare();
  const student = await person(w, "student", "active");
  await upload(student);
  await upload(student, { kind: "passport", bytes: new Uint8Array(pdf(12 * 1024 * 1024)) });
  await readyPicture(student);
});
afterAll(() => w.stop());
afterEach(() => Promise.all(places.splice(0).map((place) => place.remove())));

type Address = DatabaseAccess["owner"];

function urlOf(address: Address): string {
  if ("connectionString" in address) return address.connectionString;
  const { user, database, host } = address;
  return `postgres://${user}@localhost/${database}?host=${host}`;
}

type Variables = Record<string, string>;
const variablesOf = (
  application: Address,
  owner: Address,
  dataDir: string,
  storageUrl: string,
): Variables => ({
  DATABASE_URL: urlOf(application),
  DATABASE_MIGRATION_URL: urlOf(owner),
  DATA_DIR: dataDir,
  STORAGE_URL: storageUrl,
  SESSION_SECRET: "a secret for tests, at least 32 long",
});

const serverVariables = (storageUrl = w.environment.storageUrl ?? "") =>
  variablesOf(w.address, { ...w.address, user: inject("postgres").owner }, w.environment.dataDir, storageUrl);

async function empty(storageUrl?: string): Promise<{ place: Installation; variables: Variables }> {
  const place = await emptyPlace(storageUrl === undefined ? {} : { STORAGE_URL: storageUrl });
  places.push(place);
  const { access, environment } = place;
  const url = environment.storageUrl ?? pathToFileURL(join(environment.dataDir, "files")).href;
  return { place, variables: variablesOf(access.application, access.owner, environment.dataDir, url) };
}

/** Runs `npm run COMMAND` as an operator does. */
async function npm(command: string, variables: Variables) {
  const { PATH, HOME } = process.env;
  const words = ["run", "--silent", ...command.split(" ")];
  return await promisify(execFile)("npm", words, { env: { PATH, HOME, ...variables } });
}

async function contentOf({ disk }: Storage): Promise<Map<string, string>> {
  const content = new Map<string, string>();
  for await (const files of storedFiles(disk, "/"))
    for (const { key } of files) content.set(key, Buffer.from(await disk.getBytes(key)).toString("base64"));
  return new Map([...content].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

test("npm run backup, restore and check move every file from S3 to a folder and back unchanged", async () => {
  const content = await contentOf(w.services.storage);
  expect(content.size).toBe(8);
  const fromS3 = await newFile();
  expect((await npm(`backup -- ${fromS3}`, serverVariables())).stdout).toContain("and 8 files");

  const folder = await empty();
  const inFolder = pathToFileURL(join(folder.place.environment.dataDir, "own")).href;
  const onFolder = { ...folder.variables, STORAGE_URL: inFolder };
  const restored = await npm(`restore -- ${fromS3}`, onFolder);
  expect(restored.stdout).toContain("and 8 files, as they were at");
  expect(restored.stdout).toContain("nothing is wrong");

  const fromFolder = await newFile();
  await npm(`backup -- ${fromFolder}`, onFolder);
  const bucket = await empty(s3Url(access, await newBucket(access)));
  expect((await npm(`restore -- ${fromFolder}`, bucket.variables)).stdout).toContain("nothing is wrong");
  expect((await npm("check", bucket.variables)).stdout).toContain("Looked at 8 files");
  expect(await contentOf(bucket.place.storage)).toEqual(content);

  await bucket.place.storage.disk.delete([...content.keys()][0] ?? "");
  await expect(npm("check", bucket.variables)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`File ${[...content.keys()][0]}: missing`),
  });
});

test("nothing is restored into a bucket with other files", async () => {
  const file = await newFile();
  await npm(`backup -- ${file}`, serverVariables());
  const { place, variables } = await empty(s3Url(access, await newBucket(access)));
  await place.storage.disk.put("documents/cv/somebody/1", "theirs");
  await expect(npm(`restore -- ${file}`, variables)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "There are files already where files are kept (documents/cv/somebody/1).",
    ),
  });
  expect([...(await contentOf(place.storage)).keys()]).toEqual(["documents/cv/somebody/1"]);
});

const wrong = () => s3Url({ ...access, secret: "another" }, "papers");
const sentence =
  /The S3 store at \S+ \(STORAGE_URL\) refuses the bucket papers: SignatureDoesNotMatch\. Check the key/;

test.each(["backup -- /tmp/never-written", "check"])(
  "npm run %s with a wrong secret says so",
  async (command) => {
    await expect(npm(command, serverVariables(wrong()))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(sentence),
    });
  },
);

test("a server with a wrong secret ends with an error; with an unreachable store it starts with a warning", async () => {
  const refused = await launchServer(serverVariables(wrong()));
  expect(await refused.find((line) => (sentence.test(messageOf(line)) ? line : null))).toMatch(/"level":60/);
  expect(await refused.stop()).toBe(1);

  const away = await launchServer(serverVariables(s3Url({ ...access, host: "127.0.0.1:1" }, "papers")));
  onTestFinished(() => void away.kill());
  const warning = await away.find((line) => (messageOf(line).includes("can't be reached") ? line : null));
  expect(warning).toMatch(/"level":40/);
  await away.find((line) => (messageOf(line).startsWith("Wayfare is ready") ? true : null));
  const ready = await fetch(`${away.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { database: true, storage: false }]);
});
