import { afterEach, beforeEach, expect, test } from "vitest";
import { tidyPictures } from "#server/features/auctions/pictures/tidy-pictures.ts";
import { removeOrphans } from "#server/features/files/tidy-files.ts";
import { createMetrics } from "#server/metrics.ts";
import { ownerOf } from "#tests/support/backups.ts";
import { documentsOf, upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { readyPicture } from "#tests/support/pictures.ts";
import { keysIn } from "#tests/support/stores.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { checkAll } from "./check.ts";
import { checkStore, countOrphans } from "./check-files.ts";

let w: Wayfare;
beforeEach(async () => {
  w = await wayfare();
});
afterEach(() => w.stop());

const hours = (number: number) => new Date(Date.now() + number * 3_600_000);

/** Reads the details of the checks so far from the audit log. */
const checks = async (): Promise<unknown[]> =>
  (
    await w.services.database.pool.query(
      "select detail from audit where action = 'files-checked' order by id",
    )
  ).rows.map(({ detail }) => detail);
const metric = async () =>
  /^wayfare_wrong_files (\d+)$/m.exec(await createMetrics(w.services).metrics())?.[1];
const complaints = () => w.log.filter(({ msg }) => msg === "files that rows name are missing or damaged");

test("the nightly check reports missing and damaged files in the log, the metric and the audit log", async () => {
  const student = await person(w, "student", "active");
  await upload(student);
  await upload(student, { kind: "passport" });
  const picture = `auction-images/${await readyPicture(student)}/800.webp`;
  expect(await metric()).toBe("0");
  await checkStore(w.services);
  expect(await checks()).toEqual([{ files: "8", problems: "0" }]);
  expect(await metric()).toBe("0");
  expect(complaints()).toEqual([]);

  const { disk } = w.services.storage;
  const [cv] = await documentsOf(w, student.id, "cv");
  const [passport] = await documentsOf(w, student.id, "passport");
  const whole = await disk.getBytes(cv?.storageKey ?? "");
  const drawn = await disk.getBytes(picture);
  await disk.put(cv?.storageKey ?? "", "short");
  await disk.delete(passport?.storageKey ?? "");
  await disk.delete(picture);
  await checkStore(w.services);
  expect((await checks()).at(-1)).toEqual({ files: "8", problems: "3" });
  expect(await metric()).toBe("3");
  const [complaint] = complaints();
  expect(complaint).toMatchObject({
    level: 50,
    problems: 3,
    files: expect.arrayContaining([
      `${cv?.storageKey}: has 5 bytes in place of ${cv?.size}`,
      `${passport?.storageKey}: missing`,
      `${picture}: missing`,
    ]),
  });

  await disk.put(cv?.storageKey ?? "", whole);
  await disk.put(passport?.storageKey ?? "", whole);
  await disk.put(picture, drawn);
  await checkStore(w.services);
  expect(await metric()).toBe("0");
});

test("orphans are counted and removed once they are a day old, and nothing else", async () => {
  const student = await person(w, "student", "active");
  await upload(student);
  await readyPicture(student);
  const keys = await keysIn(w);
  const { disk } = w.services.storage;
  await disk.put(`documents/cv/${student.id}/left`, "no record names me");
  await disk.put(`auction-images/${crypto.randomUUID()}/320.webp`, "nor me");
  const count = async (now: Date) => {
    const client = await w.services.database.pool.connect();
    try {
      return await countOrphans(client, disk, now);
    } finally {
      client.release();
    }
  };
  expect(await count(hours(23))).toBe(0);
  expect(await count(hours(25))).toBe(2);
  const summary = await checkAll(ownerOf(w), disk, () => {});
  // These are too young: they may belong to an upload that is not finished.
  expect(summary).toMatchObject({ orphans: 0, problems: 0 });
  await removeOrphans(w.services, hours(25));
  expect(await count(hours(25))).toBe(0);
  expect((await keysIn(w)).toSorted()).toEqual(keys.toSorted());
});

test("concurrent uploads lose no file and are not reported", async () => {
  const students = await Promise.all(Array.from({ length: 6 }, () => person(w, "student", "active")));
  const uploading = new AbortController();
  /** Repeats the nightly work until the uploads are done. Returns how often it ran. */
  async function reconcile(): Promise<number> {
    let rounds = 0;
    for (; !uploading.signal.aborted; rounds++) {
      await removeOrphans(w.services);
      await tidyPictures(w.services);
      await checkStore(w.services);
    }
    return rounds;
  }
  const rounds = reconcile();
  await Promise.all(
    students.map(async (student) => {
      for (let at = 0; at < 8; at++) {
        expect((await upload(student)).status).toBe(200);
        if (at % 4 === 0) expect(await readyPicture(student)).not.toBe("");
      }
    }),
  );
  uploading.abort();
  expect(await rounds).toBeGreaterThan(0);
  const problems: string[] = [];
  await checkAll(ownerOf(w), w.services.storage.disk, (problem) => void problems.push(problem));
  expect(problems).toEqual([]);
  for (const detail of await checks()) expect(detail).toMatchObject({ problems: "0" });
  // Each student has the file and two earlier versions of it, and two pictures of six files.
  const keys = await keysIn(w);
  expect(keys.filter((key) => key.startsWith("documents/"))).toHaveLength(18);
  expect(keys.filter((key) => key.startsWith("auction-images/"))).toHaveLength(72);
});
