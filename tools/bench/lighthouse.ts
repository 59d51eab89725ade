import { execFile } from "node:child_process";
import { loadavg } from "node:os";
import { promisify } from "node:util";
import { chromium } from "@playwright/test";
import { z } from "zod";
import { buildPages } from "#scripts/build.ts";
import { tool } from "#scripts/tools.ts";
import { findChromium } from "#tests/support/chromium.ts";
import { freePort, startServer } from "#tests/support/server-process.ts";
import { median } from "./measure.ts";
import { openAuction } from "./open-auction.ts";
import { openCatalogue } from "./open-catalogue.ts";
import { folderOnDisk } from "./server-fixture.ts";

/** The promised figures of a public page on Lighthouse's simulated phone; times in milliseconds. */
const limits = {
  performance: { least: 98 },
  accessibility: { least: 100 },
  "best-practices": { least: 100 },
  seo: { least: 100 },
  "largest-contentful-paint": { most: 1500 },
  "cumulative-layout-shift": { most: 0.02 },
  "total-blocking-time": { most: 100 },
};
const columns = ["perf", "a11y", "best", "seo", "LCP", "CLS", "TBT"];
const onlyCategories = Object.keys(limits).slice(0, 4);

const publicPages = [
  "/",
  "/explore",
  "/programmes",
  // A programme of the demo.
  "/programme",
  "/meet-the-team",
  "/about-us",
  "/contact",
  "/privacy",
  "/terms",
  "/auctions",
  // A product on sale with pictures.
  "/product",
  "/grading-guide",
  "/login",
  "/signup",
  "/reset-password",
];

const audit = z.object({ score: z.number().nullable(), numericValue: z.number().optional() });
const category = z.object({
  id: z.string(),
  score: z.number().nullable(),
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
});
const result = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(z.string(), category),
  audits: z.record(z.string(), audit),
  environment: z.object({ benchmarkIndex: z.number() }),
});

/**
 * Returns the figures of one run in the order of the limits, the audits that failed, and the machine's speed as
 * measured by Lighthouse: the simulated phone takes four times as long as the machine.
 */
async function measurePage(url: string, port: number) {
  const words = [
    url,
    "--quiet",
    "--output=json",
    `--port=${port}`,
    `--only-categories=${onlyCategories.join(",")}`,
  ];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [tool("lighthouse/cli/index.js"), ...words],
    {
      maxBuffer: 50_000_000,
    },
  );
  const { runtimeError, categories, audits, environment } = result.parse(JSON.parse(stdout));
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const values = Object.keys(limits).map((name) => {
    const score = categories[name]?.score;
    return typeof score === "number" ? Math.round(score * 100) : (audits[name]?.numericValue ?? Number.NaN);
  });
  const failed = Object.values(categories)
    .filter(({ id }) => id !== "performance")
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0);
  return { values, failed: failed.map(({ id }) => id), speed: environment.benchmarkIndex };
}

const holds = (value: number, limit: { least: number } | { most: number }) =>
  "least" in limit ? value >= limit.least : value <= limit.most;

/** Measures a page this many times, prints the medians and returns whether all limits hold. */
async function report(page: string, url: string, times: number, port: number): Promise<boolean> {
  const results: Awaited<ReturnType<typeof measurePage>>[] = [];
  for (let time = 0; time < times; time++) results.push(await measurePage(url, port));
  const medians = columns.map((_column, at) => median(results.map(({ values }) => values[at] ?? Number.NaN)));
  const missed = Object.entries(limits).filter(([, limit], at) => !holds(medians[at] ?? Number.NaN, limit));
  const cells = medians.map((value, at) =>
    (columns[at] === "CLS" ? value.toFixed(3) : value.toFixed(0)).padStart(7),
  );
  const speed = median(results.map((each) => each.speed))
    .toFixed(0)
    .padStart(8);
  const failed = [...new Set(results.flatMap((each) => each.failed))].join(", ");
  console.log(
    `${missed.length === 0 ? "holds " : "FAILS "} ${page.padEnd(16)}${cells.join("")}${speed}  ${failed}`,
  );
  return missed.length === 0;
}

/** `npm run lighthouse -- 3 / /login`: how often to measure each page (5 by default; the median counts), and which. */
const words = process.argv.slice(2);
const times = Number(words.find((word) => /^\d+$/.test(word)) ?? 5);
const pages = words.filter((word) => word.startsWith("/"));
const unknown = pages.find((page) => !publicPages.includes(page));
if (unknown) throw new Error(`${unknown} is none of ${publicPages.join(", ")}`);

buildPages();
const data = await folderOnDisk();
const server = await startServer({ DATA_DIR: data.path, LOG_LEVEL: "warn" });
const port = await freePort();
const browser = await chromium.launch({
  ...(await findChromium()),
  args: [`--remote-debugging-port=${port}`],
});
try {
  const paths: Record<string, string> = {
    "/product": await openAuction(server),
    "/programme": await openCatalogue(data.path),
  };
  console.log(`${" ".repeat(23)}${columns.map((column) => column.padStart(7)).join("")}   speed`);
  for (const page of pages.length > 0 ? pages : publicPages) {
    const url = server.url + (paths[page] ?? page);
    if (!(await report(page, url, times, port))) process.exitCode = 1;
  }
  const busy = loadavg()[0] ?? 0;
  console.log(`Medians of ${times}; the machine's load at the end: ${busy.toFixed(1)}.`);
} finally {
  await browser.close();
  await server.stop();
  await data.remove();
}
