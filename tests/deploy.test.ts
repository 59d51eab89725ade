import { readFile } from "node:fs/promises";
import { collectDefaultMetrics } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importsOf, isTest, modulesIn, target } from "#scripts/imports.ts";
import { createMetrics } from "#server/metrics.ts";
import { type Wayfare, wayfare } from "./wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const rules = await readFile("deploy/prometheus-alerts.yml", "utf8");
const dashboard = await readFile("deploy/grafana-dashboard.json", "utf8");
const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name);

test("docs/operations.md says what to do about every alert, and knows no other", async () => {
  const operations = await readFile("docs/operations.md", "utf8");
  const section = operations.split("## Alerts\n")[1]?.split("\n## ")[0] ?? "";
  expect([...section.matchAll(/^- \*\*(\w+)\*\*/gm)].map(([, name]) => name)).toEqual(alerts);
});

test("alerts and dashboard read metrics that are there", async () => {
  const registry = createMetrics(w.services);
  collectDefaultMetrics({ register: registry });
  const known = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  const named = [...`${rules} ${JSON.stringify(JSON.parse(dashboard))}`.matchAll(/\b(\w+)\{job=/g)];
  const read = new Set(named.map(([, name = ""]) => name.replace(/(_seconds)_(count|bucket|sum)$/, "$1")));
  expect(read.size).toBeGreaterThan(7);
  expect([...read].filter((name) => name !== "up" && !known.has(name))).toEqual([]);
});

test("the image holds what its programs import, and what docs/operations.md runs in it", async () => {
  const copied = [...(await readFile("Dockerfile", "utf8")).matchAll(/^COPY (\w+) \1$/gm)].map(
    ([, at]) => at,
  );
  expect((await readFile(".dockerignore", "utf8")).split("\n")).toEqual(
    expect.arrayContaining(copied.map((folder) => `!${folder}`)),
  );
  // The other scripts are for development.
  const files = ["server", "demo"].flatMap((folder) => modulesIn(folder)).filter((file) => !isTest(file));
  const read = async (file: string) =>
    importsOf(file, await readFile(file, "utf8")).flatMap(({ to, isType }) =>
      isType ? [] : (target(file, to) ?? []),
    );
  const operations = await readFile("docs/operations.md", "utf8");
  const run = [...operations.matchAll(/ app node ([\w/-]+\.ts)/g)].map(([, file = ""]) => file);
  expect(run).toContain("demo/main.ts");
  const needed = [...(await Promise.all(files.map(read))).flat(), ...run];
  expect(needed.filter((file) => !copied.includes(file.split("/")[0]))).toEqual([]);
});
