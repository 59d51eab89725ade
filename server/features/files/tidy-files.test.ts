import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentsOf, filesOf, upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { incomingOf } from "#tests/support/stores.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { removeOrphans } from "./tidy-files.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const hours = (number: number) => new Date(Date.now() + number * 60 * 60 * 1000);

test("files left behind by a killed process are deleted after a day; recorded files stay, replaced or not", async () => {
  const student = await person(w, "student", "active");
  await upload(student);
  await upload(student);
  const orphan = `documents/cv/${student.id}/left-behind`;
  await w.services.storage.disk.put(orphan, "no record names me");
  await writeFile(join(incomingOf(w.environment), "half"), "half a file");
  expect(await filesOf(w, student.id)).toHaveLength(4);
  await removeOrphans(w.services, hours(23));
  expect(await filesOf(w, student.id)).toHaveLength(4);
  await removeOrphans(w.services, hours(25));
  const keys = (await documentsOf(w, student.id)).map((row) => row.storageKey);
  expect((await filesOf(w, student.id)).toSorted()).toEqual(keys.toSorted());
});

test("more files than one batch holds are deleted", async () => {
  const { disk } = w.services.storage;
  const student = await person(w, "student", "active");
  await upload(student);
  const keys = Array.from({ length: 1203 }, (_, at) => `documents/passport/${student.id}/${at}`);
  await Promise.all(keys.map((key) => disk.put(key, "x")));
  await removeOrphans(w.services, hours(25));
  expect(await filesOf(w, student.id)).toHaveLength(1);
});
