import { existsSync, globSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { collectDefaultMetrics } from "prom-client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { importsOf, isTest, modulesIn, target } from "#scripts/imports.ts";
import { createMetrics } from "#server/metrics.ts";
import { readEnvironment } from "#server/platform/environment.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const rules = await readFile("deploy/prometheus-alerts.yml", "utf8");
const dashboard = await readFile("deploy/grafana-dashboard.json", "utf8");
const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name);

test("docs/operations/observe.md says what to do about every alert, and names no other", async () => {
  const operations = await readFile("docs/operations/observe.md", "utf8");
  const section = operations.split("## Alerts\n")[1]?.split("\n## ")[0] ?? "";
  expect([...section.matchAll(/^- \*\*(\w+)\*\*/gm)].map(([, name]) => name)).toEqual(alerts);
});

test("alerts and dashboard read existing metrics", async () => {
  const registry = createMetrics(w.services);
  collectDefaultMetrics({ register: registry });
  const metricNames = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  const matches = [...`${rules} ${JSON.stringify(JSON.parse(dashboard))}`.matchAll(/\b(\w+)\{job=/g)];
  const read = new Set(matches.map(([, name = ""]) => name.replace(/(_seconds)_(count|bucket|sum)$/, "$1")));
  expect(read.size).toBeGreaterThan(7);
  expect([...read].filter((name) => name !== "up" && !metricNames.has(name))).toEqual([]);
});

test("the image contains everything that its programs import and that docs/operations/install.md runs in it", async () => {
  const dockerfile = await readFile("Dockerfile", "utf8");
  const copied = [...dockerfile.matchAll(/^COPY ([\w/-]+) \1$/gm)].map(([, at = ""]) => at);
  // In both stages `npm ci` needs a package's manifest to link the package.
  for (const manifest of globSync("packages/*/package.json"))
    expect(dockerfile.split(`COPY ${manifest} ${dirname(manifest)}/\n`)).toHaveLength(3);
  expect((await readFile(".dockerignore", "utf8")).split("\n")).toEqual(
    expect.arrayContaining(copied.map((folder) => `!${folder}`)),
  );
  // The other scripts are only for development.
  const files = ["server", "tools/demo", "tools/import"]
    .flatMap((folder) => modulesIn(folder))
    .filter((file) => !isTest(file));
  const read = async (file: string) =>
    importsOf(file, await readFile(file, "utf8")).flatMap(({ to, isType }) =>
      isType ? [] : (target(file, to) ?? (to.startsWith("@wayfare/") ? `packages/${to}` : [])),
    );
  const operations = await readFile("docs/operations/install.md", "utf8");
  const run = [...operations.matchAll(/ app node ([\w/-]+\.ts)/g)].map(([, file = ""]) => file);
  expect(run).toContain("tools/demo/main.ts");
  const needed = [...(await Promise.all(files.map(read))).flat(), ...run];
  expect(needed.filter((file) => !copied.some((folder) => file.startsWith(`${folder}/`)))).toEqual([]);
});

test("the shipped proxies remove ids of requests and traces that a client chose", async () => {
  const removals = {
    "deploy/nginx.conf": (name: string) => `proxy_set_header ${name} "";`,
    "deploy/haproxy.cfg": (name: string) => `http-request del-header ${name}`,
    "deploy/Caddyfile": (name: string) => `header_up -${name}`,
    "docs/operations/install.md": (name: string) => `header_up -${name}`,
  };
  for (const [file, removal] of Object.entries(removals)) {
    const lines = (await readFile(file, "utf8")).split("\n").map((line) => line.trim());
    for (const name of ["X-Request-Id", "traceparent", "tracestate"])
      expect(lines, file).toContain(removal(name));
  }
});

test("compose.yaml passes every variable of .env to the application, and overrides none", async () => {
  const compose = await readFile("compose.yaml", "utf8");
  const app = /^ {2}app:\n(.*?)^ {2}\w/ms.exec(compose)?.[1] ?? "";
  expect(app).toContain("env_file: [{ path: .env, required: false }]");
  const settings = [...app.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)];
  // Settings next to env_file override it. So each must read the variable itself, or be the container's own.
  const fixed = settings.flatMap(([, name = "", value = ""]) =>
    /^"?\$\{(\w+):?-/.exec(value)?.[1] === name ? [] : name,
  );
  expect(fixed).toEqual(["PORT", "DATA_DIR", "TRUST_PROXY"]);
});

/** Fills in variables as Compose does: the default after `:-` also replaces an empty value. */
function interpolate(text: string, variables: Record<string, string>): string {
  const next = text.replaceAll(
    /\$\{(\w+)(:?)-([^{}]*)\}/g,
    (_, name: string, colon: string, other: string) => {
      const value = variables[name];
      return value === undefined || (colon && value === "") ? other : value;
    },
  );
  return next === text ? text : interpolate(next, variables);
}

test("each service of compose.yaml takes its secrets from files where .env names them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-compose-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const secrets = {
    DATABASE_URL: "postgres://app:one@db/wayfare",
    DATABASE_MIGRATION_URL: "postgres://owner:two@db/wayfare",
    SESSION_SECRET: "a secret for tests, at least 32 long",
  };
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(secrets)) {
    await writeFile(join(folder, name), value);
    env[name] = "";
    env[`${name}_FILE`] = join(folder, name);
  }
  const compose = interpolate(await readFile("compose.yaml", "utf8"), env);
  for (const service of ["app", "backup"]) {
    const lines = new RegExp(`^  ${service}:\n(.*?)^  \\w`, "ms").exec(compose)?.[1] ?? "";
    const set = [...lines.matchAll(/^ {6}([A-Z_]+): "?(.*?)"?$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]);
    expect(readEnvironment({ ...env, ...Object.fromEntries(set) }), service).toMatchObject({
      databaseUrl: secrets.DATABASE_URL,
      databaseMigrationUrl: secrets.DATABASE_MIGRATION_URL,
      sessionSecret: secrets.SESSION_SECRET,
    });
  }
});

test("every command of deploy/wayfare is a script", async () => {
  const wayfare = await readFile("deploy/wayfare", "utf8");
  const commands = /^ {2}(start .*)\) shift/m.exec(wayfare)?.[1]?.split(" | ") ?? [];
  expect(commands).toContain("import");
  expect(commands.filter((name) => !existsSync(`scripts/${name}.ts`))).toEqual([]);
});

test("the services run by one command, as one user, and can write only their own folders", async () => {
  for (const name of ["wayfare.service", "wayfare@.service", "wayfare-backup.service"]) {
    const lines = (await readFile(`deploy/${name}`, "utf8")).split("\n");
    expect(lines, name).toEqual(
      expect.arrayContaining([
        "User=wayfare",
        expect.stringMatching(/^ExecStart=\/opt\/wayfare\/deploy\/wayfare (start|backup)/),
        "CapabilityBoundingSet=",
        "ProtectSystem=strict",
        "PrivateDevices=true",
        "ProtectKernelTunables=true",
        expect.stringMatching(/^RestrictAddressFamilies=/),
        "SystemCallFilter=@system-service",
        "UMask=0077",
      ]),
    );
    // This would remove the shared memory of a PostgreSQL that another service runs as the same user.
    expect(lines, name).not.toContain("RemoveIPC=true");
  }
});

test("links between the pages for operators lead to existing headings", async () => {
  const folder = "docs/operations";
  const slug = (title: string) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-");
  const wrong: string[] = [];
  for (const name of [...(await readdir(folder)).map((file) => `operations/${file}`), "operations.md"]) {
    const page = await readFile(join("docs", name), "utf8");
    for (const [, path = "", anchor = ""] of page.matchAll(/\]\((?!http)([^)#]*)#?([^)]*)\)/g)) {
      const file = path === "" ? join("docs", name) : join("docs", dirname(name), path);
      const target = await readFile(file, "utf8").catch(() => null);
      const slugs = [...(target ?? "").matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => slug(title));
      if (target === null || (anchor !== "" && !slugs.includes(anchor)))
        wrong.push(`${name}: ${path}#${anchor}`);
    }
  }
  expect(wrong).toEqual([]);
});
