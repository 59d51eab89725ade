import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { headText } from "#domain/bid-history.ts";
import { logHeads } from "#server/features/auctions/history/log.ts";
import { openDatabase } from "#server/platform/database.ts";
import { sendBid } from "#tests/history/bidder.ts";
import { openFixture } from "#tests/load/fixture.ts";
import type { Report } from "./fixture.ts";

const program = fileURLToPath(new URL("log-verifier.go", import.meta.url));
/** The folder into which Debian's packages of Go libraries put their sources. */
const sources = "/usr/share/gocode";

const proofForm = z.object({ proof: z.array(z.string()) });
const inclusionForm = proofForm.extend({
  size: z.number(),
  leaf: z.object({
    position: z.number(),
    productId: z.string(),
    number: z.number(),
    hash: z.string(),
  }),
});

/** Has a third-party verifier check checkpoints and proofs of the log. */
export async function logVerified(report: Report): Promise<void> {
  const name = "golang.org/x/mod/sumdb takes the log of auctions";
  const fixture = await openFixture({ bidders: 4, lots: 45, processes: 1 });
  const database = openDatabase(fixture.address, () => {});
  const folder = await mkdtemp(join(tmpdir(), "wayfare-log-"));
  const [url = ""] = fixture.urls;
  const get = async (path: string) => await fetch(url + path);
  try {
    const bidOn = async (lots: typeof fixture.lots) => {
      for (const { id, sellerId } of lots) {
        const bidRequest = { productId: id, key: randomUUID(), amount: 15_000, form: "upTo" } as const;
        const bidder = fixture.bidders.find((each) => each.id !== sellerId);
        if (bidder) await sendBid(url, bidder, bidRequest);
      }
    };
    await bidOn(fixture.lots.slice(0, 25));
    await logHeads({ database }, "2026-01-01");
    const earlier = await (await get("/auctions/checkpoint")).text();
    await bidOn(fixture.lots.slice(25));
    await logHeads({ database }, "2026-01-02");
    const later = await (await get("/auctions/checkpoint")).text();
    const sizeOf = (note: string) => note.split("\n")[1] ?? "";
    const consistency = await get(`/auctions/log/consistency?from=${sizeOf(earlier)}&to=${sizeOf(later)}`);
    const inclusions = await Promise.all(
      fixture.lots.map(async ({ id }) => {
        const response = await get(`/auctions/log/inclusion?product=${id}`);
        const { leaf, proof } = inclusionForm.parse(await response.json());
        return { Leaf: headText(leaf.productId, leaf), Position: leaf.position, Proof: proof };
      }),
    );
    const keys = z.object({ log: z.array(z.string()) }).parse(await (await get("/auctions/keys")).json());
    const file = join(folder, "log.json");
    const input = {
      Keys: keys.log,
      Earlier: earlier,
      Later: later,
      Inclusions: inclusions,
      Consistency: proofForm.parse(await consistency.json()).proof,
    };
    await writeFile(file, JSON.stringify(input));
    const env = { ...process.env, GO111MODULE: "off", GOPATH: sources, GOCACHE: join(folder, "cache") };
    const run = spawnSync("go", ["run", program, file], { env, encoding: "utf8" });
    const output = `${run.stdout}${run.stderr}`.trim();
    report({ name, violations: run.status === 0 ? [] : [output], figures: output });
  } finally {
    await database.close();
    await fixture.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
