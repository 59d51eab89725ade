import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { buildPages } from "#scripts/build.ts";
import { screens } from "./all-screens.ts";
import { screenName } from "./screen.ts";

const built = z.object({
  routes: z.record(
    z.string(),
    z.object({ id: z.string(), parentId: z.string().optional(), path: z.string().optional() }),
  ),
});

beforeAll(() => buildPages(), 300_000);

test("the table contains every route and nothing else", async () => {
  const { routes } = built.parse(await import(resolve("build/server/index.js")));
  const all = Object.values(routes);
  const screenRoutes = all.filter(({ id }) => all.every(({ parentId }) => parentId !== id));
  const paths = screenRoutes.map(({ path = "" }) => (path === "*" ? path : `/${path}`));
  const inTable = [...new Set(screens.map(({ route }) => route))];
  expect(inTable.toSorted()).toEqual(paths.toSorted());
});

test("no two entries are the same", () => {
  const names = screens.map(screenName);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});
