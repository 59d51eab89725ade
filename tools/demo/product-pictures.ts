import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyOf, pictureFiles } from "#server/features/auctions/pictures/picture-files.ts";
import { PictureMaker } from "#server/features/auctions/pictures/picture-maker.ts";
import type { Log } from "#server/platform/log.ts";
import type { Storage } from "#server/platform/storage.ts";
import { photograph } from "./drawings.ts";
import type { Offer, Photograph } from "./products.ts";

/** Number of pictures made concurrently, each in a separate process, and of files stored concurrently. */
const makers = 2;
const storeConcurrency = 16;
/** Milliseconds that a picture may take on a busy machine, since no user waits for it. */
const maxTime = 600_000;

const nameOf = ({ drawing, colours, view }: Photograph) => `${drawing}.${colours.name}.${view}`;

/** Does the work for every item, this many concurrently. */
async function forEach<Item>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
) {
  const queue = [...items].values();
  const worker = async () => {
    // All loops take from the same iterator.
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Makes the files of every photograph as those of an upload are made, in the order of `pictureFiles`. */
async function makeFiles(photographs: Iterable<Photograph>, log: Log): Promise<Map<string, Buffer[]>> {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-demo-"));
  const filesByName = new Map<string, Buffer[]>();
  const idle = Array.from({ length: makers }, () => new PictureMaker(log, maxTime));
  try {
    await forEach(photographs, makers, async (shot) => {
      const name = nameOf(shot);
      const original = join(folder, name);
      const paths = pictureFiles.map((file) => `${original}.${file.name}`);
      await writeFile(original, await photograph(shot.drawing, shot.colours, shot.view));
      const maker = idle.pop();
      if (!maker) throw new Error("more pictures are made at a time than there are makers");
      const { kind } = await maker.make({ userId: "demo", address: "demo" }, original, paths);
      idle.push(maker);
      if (kind !== "made") throw new Error(`the picture ${name} could not be made ready: ${kind}`);
      filesByName.set(name, await Promise.all(paths.map((path) => readFile(path))));
    });
    return filesByName;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Draws the things that the products show, each once, and stores the files under the key of every picture. */
export async function storePictures(
  { disk }: Pick<Storage, "disk">,
  offers: readonly Offer[],
  log: Log,
): Promise<void> {
  const photographs = new Map(
    offers.flatMap((offer) => offer.photographs).map((each) => [nameOf(each), each]),
  );
  const filesByName = await makeFiles(photographs.values(), log);
  const files = offers.flatMap(({ pictures, photographs }) =>
    pictures.flatMap(({ id }, place) => {
      const [shot] = photographs.slice(place);
      const bytes = shot ? (filesByName.get(nameOf(shot)) ?? []) : [];
      return bytes.map((content, which) => ({ id, content, file: pictureFiles[which] }));
    }),
  );
  await forEach(files, storeConcurrency, async ({ id, content, file }) => {
    if (file) await disk.put(keyOf(id, file.width, file.format), content);
  });
}
