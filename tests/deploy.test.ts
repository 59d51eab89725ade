import { readFile } from "node:fs/promises";
import { collectDefaultMetrics } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
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
