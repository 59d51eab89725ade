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
let there: Installation;

beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());
afterEach(() => there.remove());

const tomorrow = () => new Date(Date.now() + 48 * 3_600_000);

test("bids that come in meanwhile: those answered before are in it, and all of it agrees", async () => {
  const seller = await person(w, "student", "active");
  const bidders = await Promise.all(Array.from({ length: 8 }, () => person(w, "agent", "approved")));
  const items = await Promise.all(Array.from({ length: 4 }, () => product(w, seller)));
  const answered = new Set<string>();
  const bidding = new AbortController();
  /** Bids in turn on every item, each time above what anybody has bid. */
  async function bidOn(who: Person): Promise<void> {
    while (!bidding.signal.aborted)
      for (const item of items) {
        amount += 1;
        const price = amount;
        const { status } = await bid(who.caller, item, price);
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
  // Bids did come in meanwhile.
  expect(answered.size).toBeGreaterThan(rounds.at(-1)?.before.length ?? 0);

  for (const { file, before } of rounds) {
    there = await emptyPlace();
    await restore(file, there);
    expect(await problemsOf(there.access.owner, there.storage)).toEqual([]);
    const rows = (await rowsOf(there.access.owner)).get("auction_bid") ?? [];
    const restored = new Set(
      rows.map((row) => {
        const [item, , , cents] = row.slice(1).split(",");
        return `${item} ${cents}`;
      }),
    );
    expect(before.filter((answer) => !restored.has(answer))).toEqual([]);
    if (file !== rounds.at(-1)?.file) await there.remove();
  }
});

/** A backup during which something happens once: the rows are read by then, and no file is. */
async function backUpWhile(happens: () => Promise<void>) {
  const { disk } = w.services.storage;
  let happened: Promise<void> | null = null;
  const files = {
    exists: (key: string) => disk.exists(key),
    async getMetaData(key: string) {
      happened ??= happens();
      await happened;
      return await disk.getMetaData(key);
    },
    getStream: (key: string) => disk.getStream(key),
  };
  const backup = await backUp(w, { files });
  expect(happened).not.toBe(null);
  return backup;
}

test("a document that is deleted meanwhile is in it with its file, which goes the next night", async () => {
  const student = await person(w, "student", "active");
  const { id } = await upload(student, { bytes: new Uint8Array(pdf(5000)) });
  const { file, missing } = await backUpWhile(async () => {
    expect((await student.caller.call("documents.takeBack", { documentId: id })).status).toBe(200);
  });
  expect(missing).toBe(0);
  expect(await documentsOf(w, student.id)).toEqual([]);
  expect(await filesOf(w, student.id)).toHaveLength(1);

  there = await emptyPlace();
  await restore(file, there);
  expect(await problemsOf(there.access.owner, there.storage)).toEqual([]);
  expect((await rowsOf(there.access.owner)).get("document")?.join()).toContain(id);

  await removeOrphans(w.services, tomorrow());
  expect(await filesOf(w, student.id)).toEqual([]);
});

test("an unused picture that is removed meanwhile is in it with its files", async () => {
  const id = await readyPicture(await person(w, "student", "active"));
  const { file, missing } = await backUpWhile(() => tidyPictures(w.services, tomorrow()));
  expect(missing).toBe(0);
  there = await emptyPlace();
  await restore(file, there);
  expect(await problemsOf(there.access.owner, there.storage)).toEqual([]);
  expect((await rowsOf(there.access.owner)).get("auction_picture")?.join()).toContain(id);

  expect(await pictureFilesIn(w)).toHaveLength(6);
  await removeOrphans(w.services, tomorrow());
  expect(await pictureFilesIn(w)).toEqual([]);
});

test("a file that was lost before does not keep the rest from being saved, and is named", async () => {
  const student = await person(w, "student", "active");
  await upload(student);
  const [document] = await documentsOf(w, student.id);
  const key = document?.storageKey ?? "";
  await w.services.storage.disk.delete(key);
  const { file, missing, said } = await backUp(w);
  expect({ missing, said }).toEqual({ missing: 1, said: [`Missing in the store: ${key}`] });
  expect(await problemsOf(ownerOf(w), w.services.storage)).toEqual([`File ${key}: missing`]);
  there = await emptyPlace();
  await restore(file, there);
  expect(await problemsOf(there.access.owner, there.storage)).toEqual([`File ${key}: missing`]);
});
