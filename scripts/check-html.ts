import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { z } from "zod";
import { built } from "#domain/configuration.ts";
import { loadFirstSight } from "#server/platform/first-sight-code.ts";
import { servePages } from "#server/platform/pages.ts";
import { buildPages } from "./build.ts";
import { type Check, run } from "./checks.ts";
import { sampleProducts, sampleSights } from "./sample-sights.ts";

const jar = fileURLToPath(import.meta.resolve("vnu-jar/build/dist/vnu.jar"));
/** Two addresses that answer what no address has of its own: there is nothing there, and it could not be made. */
const unknown = "/no-such-page";
const broken = "/product/broken";

/** Every page built ahead of time as the server sends it, filled where it fills them, with what unknown and broken addresses answer. */
async function pagesAsServed(): Promise<Map<string, string>> {
  const { prerendered } = z
    .object({ prerendered: z.array(z.string()) })
    .parse(JSON.parse(await readFile("build/routes.json", "utf8")));
  const app = new Hono({ strict: false });
  app.onError((_error, c) => c.text("", 500));
  const sightOf = sampleSights(await loadFirstSight("build"));
  servePages(app, "build", { ...built, baseUrl: "https://wayfare.example" }, async (path, search) => {
    if (path === broken) throw new Error("on purpose");
    return await sightOf(path, search);
  });
  const pages = [...prerendered, ...sampleProducts, unknown, broken].map(async (path) => {
    const response = await app.request(path, { headers: { accept: "text/html" } });
    return [path, await response.text()] as const;
  });
  return new Map(await Promise.all(pages));
}

/** What the W3C checker finds wrong with the pages, or null; it needs a `java` on the machine. */
async function look(): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-html-"));
  try {
    const pages = await pagesAsServed();
    const written = [...pages].map(async ([path, html]) => {
      const file = join(folder, `${path.slice(1).replaceAll("/", "-") || "home"}.html`);
      await writeFile(file, html);
      return file;
    });
    return await run("java", ["-Xss1024k", "-jar", jar, "--errors-only", ...(await Promise.all(written))]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const checkHtml: Check = { name: "html", look };
export const hasJava = async (): Promise<boolean> => (await run("java", ["-version"])) === null;
export const leftOut = "LEFT OUT  html: there is no java on this machine for the W3C checker";

if (import.meta.main) {
  buildPages();
  const wrong = (await hasJava()) ? await look() : leftOut;
  console.log(wrong ?? "The W3C checker finds no error.");
  process.exitCode = wrong === null ? 0 : 1;
}
