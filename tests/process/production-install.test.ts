import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";

const entry = z.object({ dev: z.boolean().default(false) });
const lock = z.object({ packages: z.record(z.string(), entry) });

/** Test runners, bundlers, compilers, migration generators and browsers, including their platform-specific packages. */
const tools =
  /(^|\/)(@?vitest|@?vite|@?rolldown|rollup|@?esbuild|@?typescript|tsx|drizzle-kit|@?playwright|playwright-core|lightningcss|@swc|@babel\/core|@react-router\/dev|@sparticuz|lighthouse|knip|@?oxlint|@?biome(js)?)(\/|-|$)/;

test("an install without development packages holds no tools", () => {
  const { packages } = lock.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const names = (isDev: boolean) =>
    Object.entries(packages).flatMap(([path, { dev }]) =>
      path !== "" && dev === isDev ? path.replace(/^.*node_modules\//, "") : [],
    );
  expect(names(false).filter((name) => tools.test(name))).toEqual([]);
  expect(names(false)).toContain("hono");
  // Makes sure that the patterns recognise them at all.
  const matches = names(true).filter((name) => tools.test(name));
  for (const name of ["vitest", "vite", "typescript", "drizzle-kit", "rolldown"])
    expect(matches).toContain(name);
});
