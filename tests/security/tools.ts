import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { type ContractProcedure, contractProcedures } from "#tests/access/input-fields.ts";
import type { Finding, ScanResult, Severity } from "./finding.ts";
import { hasText, plainInput } from "./plain-input.ts";
import { call, type Role, type Subject, studentFor } from "./subject.ts";

const isInstalled = (program: string) => spawnSync(program, ["--version"]).error === undefined;
const missing = (program: string): ScanResult => ({
  findings: [],
  figures: "",
  skipped: `there is no ${program} here; on Debian \`apt install ${program}\``,
});

/** Runs a program in a separate folder; resolves to its output. */
async function run(folder: string, [program = "", ...words]: readonly string[]): Promise<string> {
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdio: ["ignore", "pipe", "ignore"],
  });
  return await text(child.stdout);
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-scan-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Wapiti's levels. */
const wapitiSeverity: Record<number, Severity> = { 1: "low", 2: "medium", 3: "high" };
const entry = z.object({ level: z.number(), path: z.string(), info: z.string(), method: z.string() });
const report = z.object({
  vulnerabilities: z.record(z.string(), z.array(entry)),
  anomalies: z.record(z.string(), z.array(entry)),
});

/** All modules except those that need their makers' server or treat every answer of 200 as a page. */
const modules =
  "backup,blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss,xxe";

/** Runs Wapiti on every page, and on what it discovers; not on event streams, which never end. */
export async function wapiti({ server, paths, productId }: Subject, role: Role): Promise<ScanResult> {
  if (!isInstalled("wapiti")) return missing("wapiti");
  return await inFolder(async (folder) => {
    const out = join(folder, "report.json");
    const addresses = [
      ...paths,
      "/auctions?search=a&category=home&sort=newest",
      "/unsubscribe?token=a",
      "/reset-password?token=a",
      `/auctions/products/${productId}`,
      "/files/audit.csv?actor=a&subject=b",
    ];
    const words = ["-u", `${server.url}/`, ...addresses.flatMap((path) => ["-s", `${server.url}${path}`])];
    const bounds = [
      "-d",
      "2",
      "--max-links-per-page",
      "30",
      "--max-scan-time",
      "60",
      "--max-attack-time",
      "30",
      "-S",
      "normal",
    ];
    const cookie = role.cookie === "" ? [] : ["-H", `Cookie: ${role.cookie}`];
    await run(folder, [
      "wapiti",
      ...words,
      ...bounds,
      ...cookie,
      "-m",
      modules,
      "-f",
      "json",
      "-o",
      out,
      "--flush-session",
      "--no-bugreport",
      "-v",
      "0",
    ]);
    const { vulnerabilities, anomalies } = report.parse(JSON.parse(await readFile(out, "utf8")));
    const findings = Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([name, entries]) =>
      entries.map(
        ({ level, path, info, method }): Finding => ({
          severity: wapitiSeverity[level] ?? "high",
          tool: "wapiti",
          role: role.name,
          what: `${name}: ${info}`,
          where: `${method} ${path}`,
        }),
      ),
    );
    return {
      findings,
      figures: `${addresses.length} addresses to begin with, ${modules.split(",").length} modules`,
    };
  });
}

/**
 * Selects calls that anyone may make or that only read. The limit of changes blocks the others, which the fuzz test
 * covers.
 */
const isForSqlmap = ({ access, reads }: ContractProcedure) => reads || access.who === "anyone";

/** Runs sqlmap on every text of the procedures that a role may call. */
export async function sqlmap({ server, productId }: Subject, role: Role): Promise<ScanResult> {
  if (!isInstalled("sqlmap")) return missing("sqlmap");
  const findings: Finding[] = [];
  const ids = { productId, studentId: await studentFor(server, role) };
  let tried = 0;
  let right = 0;
  for (const procedure of contractProcedures().filter(isForSqlmap)) {
    const input = procedure.input && plainInput(procedure.input, ids, "lamp");
    if (
      !hasText(input) ||
      typeof input !== "object" ||
      input === null ||
      procedure.path === "account.signOut"
    )
      continue;
    const { status } = await call(server.url, procedure.path, input, role.cookie);
    if (status === 401 || status === 403) continue;
    tried++;
    if (status === 200) right++;
    const printed = await inFolder((folder) =>
      run(folder, [
        "sqlmap",
        `--url=${server.url}/rpc/${procedure.path.replace(".", "/")}`,
        "--method=POST",
        `--data=${JSON.stringify({ json: input })}`,
        "--headers=Content-Type: application/json\nX-Csrf-Token: orpc",
        ...(role.cookie === "" ? [] : [`--cookie=${role.cookie}`, "--skip=Cookie"]),
        // Uses another address each time, because limits per address would hide the real answers.
        "--tamper=xforwardedfor",
        "--ignore-code=*",
        "--batch",
        "--dbms=postgresql",
        "--technique=BEU",
        "--level=1",
        "--risk=2",
        "--threads=4",
        "--timeout=20",
        "--retries=1",
        "--disable-coloring",
        `--output-dir=${folder}`,
      ]),
    );
    const where = `${procedure.path} ${JSON.stringify(input)}`;
    const source = { tool: "sqlmap", role: role.name, where } as const;
    if (/identified the following injection point|is vulnerable/.test(printed))
      findings.push({ ...source, severity: "high", what: printed.split("---")[1] ?? "an injection" });
    // Without such a line, it may have tried nothing at all.
    else if (!/do not appear to be injectable|does not seem to be injectable/.test(printed))
      findings.push({
        ...source,
        severity: "medium",
        what: `did not come to an end: ${printed.slice(-500)}`,
      });
  }
  return {
    findings,
    figures: `${tried} procedures, ${right} of them with an input that is answered with 200`,
  };
}
