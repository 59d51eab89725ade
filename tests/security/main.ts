import { spawnSync } from "node:child_process";
import { crawl } from "./crawl.ts";
import { type Finding, failsRun, type ScanResult, severities } from "./finding.ts";
import { bugsOf, openSubject, type Role, type Subject } from "./subject.ts";
import { sqlmap, wapiti } from "./tools.ts";

let failed = 0;

function report(name: string, holds: boolean, figures: string): void {
  if (!holds) failed++;
  console.log(`${holds ? "holds " : "BROKEN"}  ${name}\n        ${figures}`);
}

function runTests(name: string, ...files: string[]): void {
  const words = ["vitest", "run", "--config", "vitest.security.config.ts", "--reporter=dot", ...files];
  const { status } = spawnSync("npx", words, { stdio: "inherit" });
  report(name, status === 0, `npx ${words.join(" ")}`);
}

/** Lists each kind of finding with one of its places, the worst first. */
function summary(findings: readonly Finding[]): string[] {
  const kinds = Map.groupBy(findings, ({ severity, role, what }) => `${severity}  ${role}: ${what}`);
  const lines = [...kinds].map(([kind, of]) => `${kind} (${of.length}), as ${of[0]?.where}`);
  const rank = (line: string) => severities.findIndex((severity) => line.startsWith(severity));
  return lines.toSorted((one, other) => rank(one) - rank(other));
}

async function scan(
  subject: Subject,
  name: string,
  scanner: (subject: Subject, role: Role) => Promise<ScanResult>,
) {
  const findings: Finding[] = [];
  const figures: string[] = [];
  for (const role of subject.roles) {
    const scanned = await scanner(subject, role);
    if (scanned.skipped !== undefined) return console.log(`skipped ${name}: ${scanned.skipped}`);
    findings.push(...scanned.findings);
    figures.push(`${role.name}: ${scanned.figures}`);
  }
  const numbers = severities.map(
    (severity) => `${findings.filter((each) => each.severity === severity).length} ${severity}`,
  );
  report(name, !findings.some(failsRun), `${numbers.join(", ")} (${figures.join("; ")})`);
  for (const line of summary(findings)) console.log(`        ${line}`);
}

const scanners = { crawl, wapiti, sqlmap };

/** `npm run test:security` runs all parts, or the named ones: fuzz, api, raw, uploads, clamd, crawl, wapiti, sqlmap. */
const parts = process.argv.slice(2);
const isAsked = (part: string) => parts.length === 0 || parts.includes(part);

// The tests read the number of runs from here.
process.env["FUZZ_RUNS"] ??= "10000";
const runs = Number(process.env["FUZZ_RUNS"]).toLocaleString("en");
if (isAsked("fuzz")) runTests(`${runs} generated inputs for each procedure`, "tests/access/fuzz.test.ts");
// Every operation gets an equal number, so the sum may be slightly higher.
if (isAsked("api")) runTests(`at least ${runs} generated calls of /api/v1`, "tests/access/api-fuzz.test.ts");
if (isAsked("raw")) runTests(`${runs} generated requests over sockets`, "tests/hostile/raw-http.test.ts");
if (isAsked("uploads")) runTests("hostile uploads take less than 150 MB", "tests/security/uploads.test.ts");
if (isAsked("clamd")) runTests("a real clamd finds a virus", "tests/security/clamd.test.ts");
if (Object.keys(scanners).some(isAsked)) {
  const subject = await openSubject();
  try {
    for (const [name, scanner] of Object.entries(scanners))
      if (isAsked(name)) await scan(subject, name, scanner);
    const bugs = bugsOf(subject);
    report(
      "the server logged no bug meanwhile",
      bugs.length === 0,
      bugs.slice(0, 5).join("\n        ") || "none",
    );
  } finally {
    await subject.stop();
  }
}
process.exit(failed === 0 ? 0 : 1);
