import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { buildPages } from "#scripts/build.ts";
import { screenName } from "./screens/screen.ts";
import { screens } from "./screens.ts";

const built = z.object({ routes: z.array(z.string()) });
/** As react-router.config.ts writes them from web/routes.ts. */
const routes = () => built.parse(JSON.parse(readFileSync("build/routes.json", "utf8"))).routes;

beforeAll(() => buildPages(), 300_000);

test("every route is in the table, and nothing but routes", () => {
  const inTable = [...new Set(screens.map(({ route }) => route))];
  expect(inTable.toSorted()).toEqual([...routes(), "*"].toSorted());
});

test("no two entries are the same", () => {
  const names = screens.map(screenName);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});
