import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { build, failing, lintChecks, routeTypes, run, typeChecks } from "./checks.ts";

/** Counts of a run; `failures` names the failed tests, as far as they have names, with short reasons. */
type Counts = { passed: number; failed: number; skipped: number; failures: readonly string[] };

/** Returns the beginnings of errors, indented. The log's end must have them, because its beginning is often cut. */
const reasons = (messages: readonly string[]): string[] =>
  messages.map((message) => `    ${stripVTControlCharacters(message).replaceAll(/\s+/g, " ").slice(0, 300)}`);

const vitestReport = z
  .object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    numPendingTests: z.number(),
    numTodoTests: z.number(),
    testResults: z.array(
      z.object({
        name: z.string(),
        status: z.string(),
        assertionResults: z.array(
          z.object({
            status: z.string(),
            fullName: z.string(),
            failureMessages: z.array(z.string()).nullish(),
          }),
        ),
      }),
    ),
  })
  .transform((report): Counts => {
    // A file that can't even be loaded has no test to fail.
    const broken = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && assertionResults.every((test) => test.status !== "failed"),
    );
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
      failures: report.testResults
        .filter(({ status }) => status === "failed")
        .flatMap(({ name, assertionResults }) =>
          [name].concat(
            assertionResults.flatMap(({ status, fullName, failureMessages }) =>
              status === "failed" ? [`  ${fullName}`, ...reasons(failureMessages ?? [])] : [],
            ),
          ),
        ),
    };
  });

/** A file's or a group's stories. */
const storySuite = z.object({
  specs: z.array(
    z.object({
      ok: z.boolean(),
      file: z.string(),
      title: z.string(),
      tests: z.array(
        z.object({
          results: z.array(
            z.object({
              errors: z.array(
                z.object({
                  message: z.string().default(""),
                  location: z.object({ file: z.string(), line: z.number() }).optional(),
                }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
  get suites() {
    return z.array(storySuite).default([]);
  },
});

const failedStories = ({ specs, suites }: z.infer<typeof storySuite>): string[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .flatMap(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
      const placed = errors.map(({ message, location }) =>
        location ? `${basename(location.file)}:${location.line} ${message}` : message,
      );
      return [`${file}  ${title}`, ...reasons(placed)];
    }),
  ...suites.flatMap(failedStories),
];

const playwrightReport = z
  .object({
    suites: z.array(storySuite),
    stats: z.object({
      expected: z.number(),
      unexpected: z.number(),
      flaky: z.number(),
      skipped: z.number(),
    }),
    // Failures outside of a test, such as stopping the server.
    errors: z.array(z.unknown()),
  })
  .transform(
    ({ suites, stats, errors }): Counts => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: stats.skipped,
      failures: suites.flatMap(failedStories),
    }),
  );

/** Counts the results of a run. One that broke off, had no tests or left no report has failed at least once. */
async function runTests(words: readonly string[], report: string, form: z.ZodType<Counts>): Promise<Counts> {
  const [command = "", ...rest] = words;
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  // It takes some five minutes on a quiet machine; a busy one gets the time that it needs.
  const failure = await run(command, rest, { show: true, env, seconds: 2700 });
  if (failure !== null) console.log(failure);
  const counts = await readFile(report, "utf8")
    .then((text) => form.parse(JSON.parse(text)))
    .catch(() => ({ passed: 0, failed: 1, skipped: 0, failures: [] }));
  const isWrong = failure !== null || counts.passed === 0;
  return isWrong ? { ...counts, failed: Math.max(counts.failed, 1) } : counts;
}

/** Runs the checks, which the other parts need: they build the pages. */
async function runChecks(): Promise<Counts> {
  const checks = [build, ...lintChecks, ...typeChecks];
  const failed = [...(await failing([routeTypes])), ...(await failing(checks))];
  return {
    passed: checks.length + 1 - failed.length,
    failed: failed.length,
    skipped: 0,
    failures: failed.map(({ name }) => name),
  };
}

/** Only builds the pages, for a run without the checks. A failure counts, a success doesn't. */
async function runBuild(): Promise<Counts> {
  const failed = await failing([routeTypes, build]);
  return { passed: 0, failed: failed.length, skipped: 0, failures: failed.map(({ name }) => name) };
}

/** The tests of the day, or those of `tests/support/nightly.ts`. */
type Time = "day" | "night";

async function runUnits(folder: string, time: Time): Promise<Counts> {
  const report = join(folder, "vitest.json");
  const project = time === "day" ? "!nightly" : "nightly";
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return runTests(["vitest", "run", `--project=${project}`, ...reporters], report, vitestReport);
}

/** Runs the stories. `shard` is Playwright's, such as `1/2`; without one, all stories run. */
async function runStories(folder: string, time: Time, shard?: string): Promise<Counts> {
  const report = join(folder, "playwright.json");
  const project = time === "day" ? "stories" : "nightly";
  const words = ["playwright", "test", "--reporter=list,json", `--project=${project}`];
  const sharded = shard === undefined ? words : [...words, `--shard=${shard}`];
  const counts = await runTests(sharded, report, playwrightReport);
  if (counts.failed > 0) await printFailedPages();
  return counts;
}

/**
 * Prints the pages of failed stories, because a log often outlives the files of its run. Dialogs and announcements are
 * at the end of a page.
 */
async function printFailedPages(): Promise<void> {
  for await (const file of glob("build/test-results/*/error-context.md")) {
    const [page = ""] = (await readFile(file, "utf8")).split("\n# Test source\n");
    console.log(`${file}\n${page.slice(-8000)}`);
  }
}

const usage = "npm test [-- checks | units | stories | stories=1/2 | nightly …]";

/** Runs the named parts, or all but `nightly`, and prints the sum. */
async function main(folder: string, parts: readonly string[]): Promise<void> {
  if (parts.some((part) => !/^(checks|units|stories(=\d+\/\d+)?|nightly)$/.test(part)))
    throw new Error(usage);
  const isOf = (part: string) =>
    parts.length === 0 ? part !== "nightly" : parts.some((each) => each.startsWith(part));
  const shard = parts.find((part) => part.startsWith("stories="))?.split("=")[1];
  const counts = [isOf("checks") ? await runChecks() : await runBuild()];
  const isBuilt = !counts[0]?.failures.includes(build.name);
  if (isOf("units")) counts.push(await runUnits(folder, "day"));
  if (isOf("stories") && isBuilt) counts.push(await runStories(folder, "day", shard));
  if (isOf("nightly")) {
    counts.push(await runUnits(folder, "night"));
    if (isBuilt) counts.push(await runStories(folder, "night"));
  }

  for (const line of counts.flatMap(({ failures }) => failures)) console.log(`FAILED  ${line}`);
  const sum = (key: "passed" | "failed" | "skipped") =>
    counts.reduce((total, count) => total + count[key], 0);
  const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
  console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
  process.exitCode = sum("failed") === 0 ? 0 : 1;
}

if (import.meta.main) {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-report-"));
  try {
    await main(folder, process.argv.slice(2));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
