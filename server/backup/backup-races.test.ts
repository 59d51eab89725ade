import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { tidyPictures } from "#server/features/auctions/pictures/tidy-pictures.ts";
import { removeOrphans } from "#server/features/files/tidy-files.ts";
import { bid, product } from "#tests/support/auctions.ts";
import {
  backUp,
  emptyPlace,
  type Installation,
  ownerOf,
  problemsOf,
  restore,
  rowsOf,
} from "#tests/support/backups.ts";
import { documentsOf, filesOf, upload } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { pictureFilesIn, readyPicture } from "#tests/support/pictures.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let target: Installation;

beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());
afterEach(() => target.remove());

const tomorrow = () => new Date(Date.now() + 48 * 3_600_000);

test("a backup during bidding has every bid that was answered before, and is consistent", async () => {
  const seller = await person(w, "student", "active");
  const bidders = await Promise.all(Array.from({ length: 8 }, () => person(w, "agent", "approved")));
  const items = await Promise.all(Array.from({ length: 4 }, () => product(w, seller)));
  const answered = new Set<string>();
  const bidding = new AbortController();
  /** Bids on every item in turn, each time above all earlier bids. */
  async function bidOn(bidder: Person): Promise<void> {
    while (!bidding.signal.aborted)
      for (const item of items) {
        amount += 1;
        const price = amount;
        const { status } = await bid(bidder.caller, item, price);
        if (status === 200) answered.add(`${item} ${price * 100}`);
      }
  }
  let amount = 1000;
  const bids = bidders.map(bidOn);
  const rounds: { file: string; before: string[] }[] = [];
  for (let round = 0; round < 5; round++) {
    const before = [...answered];
    rounds.push({ file: (await backUp(w)).file, before });
  }
  bidding.abort();
  await Promise.all(bids);
  // Bids were placed meanwhile.
  expect(answered.size).toBeGreaterThan(rounds.at(-1)?.before.length ?? 0);

  for (const { file, before } of rounds) {
    target = await emptyPlace();
    await restore(file, target);
    expect(await problemsOf(target.access.owner, target.storage)).toEqual([]);
    const rows = (await rowsOf(target.access.owner)).get("auction_bid") ?? [];
    const restored = new Set(
      rows.map((row) => {
        const [item, , , cents] = row.slice(1).split(",");
        return `${item} ${cents}`;
      }),
    );
    expect(before.filter((answer) => !restored.has(answer))).toEqual([]);
    if (file !== rounds.at(-1)?.file) await target.remove();
  }
});

/** Makes a backup during which `act` runs once, after the rows are read and before any file is. */
async function backUpWhile(act: () => Promise<void>) {
  const { disk } = w.services.storage;
  let happened: Promise<void> | null = null;
  const files = {
    exists: (key: string) => disk.exists(key),
    async getMetaData(key: string) {
      happened ??= act();
      await happened;
      return await disk.getMetaData(key);
    },
    getStream: (key: string) => disk.getStream(key),
  };
  const backup = await backUp(w, { files });
  expect(happened).not.toBe(null);
  return backup;
}

test("a document that is deleted during a backup is in it with its file, which is removed the next night", async () => {
  const student = await person(w, "student", "active");
  const { id } = await upload(student, { bytes: new Uint8Array(pdf(5000)) });
  const { file, missing } = await backUpWhile(async () => {
    expect((await student.caller.call("documents.takeBack", { documentId: id })).status).toBe(200);
  });
  expect(missing).toBe(0);
  expect(await documentsOf(w, student.id)).toEqual([]);
  expect(await filesOf(w, student.id)).toHaveLength(1);

  target = await emptyPlace();
  await restore(file, target);
  expect(await problemsOf(target.access.owner, target.storage)).toEqual([]);
  expect((await rowsOf(target.access.owner)).get("document")?.join()).toContain(id);

  await removeOrphans(w.services, tomorrow());
  expect(await filesOf(w, student.id)).toEqual([]);
});

test("an unused picture that is removed during a backup is in it with its files", async () => {
  const id = await readyPicture(await person(w, "student", "active"));
  const { file, missing } = await backUpWhile(() => tidyPictures(w.services, tomorrow()));
  expect(missing).toBe(0);
  target = await emptyPlace();
  await restore(file, target);
  expect(await problemsOf(target.access.owner, target.storage)).toEqual([]);
  expect((await rowsOf(target.access.owner)).get("auction_picture")?.join()).toContain(id);

  expect(await pictureFilesIn(w)).toHaveLength(6);
  await removeOrphans(w.services, tomorrow());
  expect(await pictureFilesIn(w)).toEqual([]);
});

test("a file that was lost before is named, and the rest is backed up", async () => {
  const student = await person(w, "student", "active");
  await upload(student);
  const [document] = await documentsOf(w, student.id);
  const key = document?.storageKey ?? "";
  await w.services.storage.disk.delete(key);
  const { file, missing, said } = await backUp(w);
  expect({ missing, said }).toEqual({ missing: 1, said: [`Missing in the store: ${key}`] });
  expect(await problemsOf(ownerOf(w), w.services.storage)).toEqual([`File ${key}: missing`]);
  target = await emptyPlace();
  await restore(file, target);
  expect(await problemsOf(target.access.owner, target.storage)).toEqual([`File ${key}: missing`]);
});
