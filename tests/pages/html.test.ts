import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { tool } from "#scripts/tools.ts";
import { serveBuild } from "#server/pages.ts";
import { bid, closed, product, withPictures } from "#tests/support/auctions.ts";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const hasJava = spawnSync("java", ["-version"]).status === 0;
let w: Wayfare;
beforeAll(async () => {
  buildPages();
  w = await wayfare();
  await serveBuild(w.app, "build", w.services);
}, 300_000);
afterAll(() => w.stop());

test.skipIf(!hasJava)("the W3C checker finds no error in any public page", async () => {
  const [seller, bidder] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const open = await product(w, seller, { productName: 'Desk & "lamp" <new>' });
  await withPictures(w, open, 2);
  await bid(bidder.caller, open, 160);
  const unsold = await product(w, seller, closed);
  const map = await (await w.app.request("/sitemap.xml")).text();
  const publicPaths = [...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(
    ([, address = ""]) => new URL(address).pathname,
  );
  const paths = [...publicPaths, "/verify-email", "/no-such-page", `/product/${open}`, `/product/${unsold}`];
  const folder = await mkdtemp(join(tmpdir(), "wayfare-html-"));
  const files: string[] = [];
  for (const path of paths) {
    const file = join(folder, `${path.slice(1).replaceAll("/", "-") || "home"}.html`);
    await writeFile(file, await (await w.app.request(path)).text());
    files.push(file);
  }
  const { stdout, stderr } = spawnSync(
    "java",
    ["-Xss1024k", "-jar", tool("vnu-jar/build/dist/vnu.jar"), "--errors-only", ...files],
    {
      encoding: "utf8",
    },
  );
  await rm(folder, { recursive: true, force: true });
  expect(`${stdout}${stderr}`).toBe("");
});
