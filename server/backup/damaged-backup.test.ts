import { readFile, writeFile } from "node:fs/promises";
import { Encrypter } from "age-encryption";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { backUp, emptyPlace, type Installation, newFile, restore, rowsOf } from "#tests/support/backups.ts";
import { upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { readArchive, textOf } from "./read-archive.ts";
import { writeArchive } from "./write-archive.ts";

const passphrase = "four random words suffice";

let w: Wayfare;
let target: Installation;
const files = { clear: Buffer.of(), encrypted: Buffer.of() };

beforeAll(async () => {
  w = await wayfare();
  target = await emptyPlace();
  const student = await person(w, "student", "active");
  expect((await upload(student, { bytes: new Uint8Array(pdf(100_000)) })).status).toBe(200);
  files.clear = await readFile((await backUp(w)).file);
  const encrypter = new Encrypter();
  // Unlike a real backup's, this passphrase is tried in milliseconds instead of a second.
  encrypter.setScryptWorkFactor(10);
  encrypter.setPassphrase(passphrase);
  files.encrypted = Buffer.from(await encrypter.encrypt(files.clear));
});
afterAll(async () => {
  await w.stop();
  await target.remove();
});

async function fileOf(bytes: Uint8Array): Promise<string> {
  const file = await newFile();
  await writeFile(file, bytes);
  return file;
}

/** Returns the reason why a file is not restored, and checks that nothing was restored. */
async function refusal(bytes: Uint8Array, key: string | null): Promise<string> {
  const file = await fileOf(bytes);
  const error = await restore(file, target, key).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(await rowsOf(target.access.owner)).toEqual(new Map());
  return error instanceof Error ? error.message.replace(file, "FILE") : "restored";
}

describe.each(["clear", "encrypted"] as const)("a file that is %s", (kind) => {
  const key = kind === "encrypted" ? passphrase : null;
  const parts = [0.02, 0.3, 0.6, 0.95];

  test.each(parts)("is refused when it ends at %f of its length", async (part) => {
    const bytes = files[kind];
    const message = await refusal(bytes.subarray(0, Math.floor(bytes.length * part)), key);
    expect(message).toMatch(/^FILE (is damaged or was cut short|was cut short)/);
  });

  test.each(parts)("is refused when a bit is wrong at %f of its length", async (part) => {
    const bytes = Buffer.from(files[kind]);
    const at = Math.floor(bytes.length * part);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    expect(await refusal(bytes, key)).toMatch(/^FILE is damaged|BACKUP_PASSPHRASE is not/);
  });
});

test("a wrong passphrase, and a missing one, are named", async () => {
  expect(await refusal(files.encrypted, "five other words")).toBe(
    "BACKUP_PASSPHRASE is not the passphrase of FILE.",
  );
  expect(await refusal(files.encrypted, null)).toBe(
    "FILE is encrypted: set BACKUP_PASSPHRASE to its passphrase.",
  );
});

test("an encrypted backup holds nothing that can be read, and is restored with its passphrase", async () => {
  const { file } = await backUp(w, { passphrase });
  expect((await readFile(file)).includes("wayfare-backup")).toBe(false);
  const place = await emptyPlace();
  expect(await restore(file, place, passphrase)).toMatchObject({ files: 1 });
  await place.remove();
});

test.each(["", "%PDF-1.7 of something else", Buffer.alloc(100_000, 7)])(
  "refuses a file that is not a backup",
  async (content) => {
    expect(await refusal(Buffer.from(content), null)).toBe("FILE is not a backup of Wayfare.");
  },
);

test("reports a wrong bit anywhere in the first part as damage, whatever text results", async () => {
  const messages = new Set<string>();
  for (let at = 40; at < 400; at += 3) {
    const bytes = Buffer.from(files.clear);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    messages.add((await refusal(bytes, null)).slice(0, "FILE is damaged".length));
  }
  expect([...messages]).toEqual(["FILE is damaged"]);
});

type Change = { manifest?: object; drop?: string; name?: (name: string) => string };

/** Rewrites the backup with a change and a valid checksum. */
async function rewrite({ manifest = {}, drop, name = (same) => same }: Change): Promise<Buffer> {
  const [from, to] = [await fileOf(files.clear), await newFile()];
  await writeArchive(to, null, async (archive) => {
    for await (const entry of readArchive(from, null)) {
      if (entry.name === drop) continue;
      if (entry.name === "manifest.json")
        await archive.addJson(entry.name, { ...JSON.parse(await textOf(entry.body)), ...manifest });
      else {
        const content = Buffer.concat(await Array.fromAsync(entry.body));
        await archive.add(name(entry.name), content.length, [content]);
      }
    }
  });
  return await readFile(to);
}

test("a backup of a newer Wayfare is refused", async () => {
  const newer =
    /^FILE was made by a newer Wayfare \(9\.9\.9\): restore it with that version or a later one\.$/;
  const wayfare = "9.9.9";
  expect(await refusal(await rewrite({ manifest: { wayfare, version: 2, tables: 7 } }), null)).toMatch(newer);
  const migration = { tag: "9999_later", when: 9_999_999_999_999 };
  expect(await refusal(await rewrite({ manifest: { wayfare, migration } }), null)).toMatch(newer);
});

test("refuses an archive without a manifest, and one with a path that leads elsewhere", async () => {
  expect(await refusal(await rewrite({ drop: "manifest.json" }), null)).toBe(
    "FILE is not a backup of Wayfare.",
  );
  for (const key of ["../../evil", "documents/../../evil", "/etc/evil", "documents/.."]) {
    const name = (same: string) => (same.startsWith("files/") ? `files/${key}` : same);
    expect(await refusal(await rewrite({ name }), null)).toMatch(
      /^The backup has an entry that Wayfare does not/,
    );
  }
});
