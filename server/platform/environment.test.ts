import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEnvironment } from "./environment.ts";

test("everything is optional", () => {
  expect(readEnvironment({})).toMatchObject({
    port: 3000,
    baseUrl: "http://localhost:3000",
    dataDir: resolve("data"),
    passwordMinLength: 6,
    unverifiedBidLimit: 1_000_000,
    bidWithdrawal: "mistake",
    uploadMinFree: 2 ** 30,
    trustProxy: 0,
    logLevel: "info",
  });
});

test("the defaults are those of .env.example, commented out or not", () => {
  const example = readFileSync(".env.example", "utf8").replace(/^#(?=[A-Z_]+=)/gm, "");
  expect(readEnvironment(parseEnv(example))).toEqual(readEnvironment({}));
});

test("docs/configuration.md and .env.example mention every variable", () => {
  const source = readFileSync("server/platform/environment.ts", "utf8");
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name ?? "");
  expect(names.length).toBeGreaterThan(12);
  for (const file of ["docs/configuration.md", ".env.example"])
    for (const name of names) expect(readFileSync(file, "utf8"), file).toContain(name);
});

describe("a value that can't be used is refused by name", () => {
  test.each([
    ["PORT", "http"],
    ["PORT", "70000"],
    ["HOST", "localhost"],
    ["BASE_URL", "wayfare.example"],
    ["BASE_URL", "ftp://wayfare.example"],
    ["BASE_URL", "https://wayfare.example/app"],
    ["DATABASE_URL", "mysql://localhost/wayfare"],
    ["DATABASE_MIGRATION_URL", "mysql://localhost/wayfare"],
    ["DATABASE_MIGRATION_URL", "postgres://owner@localhost/wayfare"],
    ["EVENTS_URL", "localhost:6379"],
    ["EVENTS_URL", "https://redis.example"],
    ["DATABASE_REPLICA_URL", "postgres://app@localhost/wayfare"],
    ["SMTP_URL", "localhost:25"],
    ["MAIL_FROM", "Wayfare"],
    ["CONTACT_EMAIL", "nobody"],
    ["PROGRAM_SEARCH_URL", "https://search.example/"],
    ["PROGRAM_SEARCH_URL", "https://{query}.example/"],
    ["STORAGE_URL", "https://files.example"],
    ["STORAGE_URL", "s3://files.example/papers"],
    ["STORAGE_URL", "s3://key:secret@files.example"],
    ["CLAMAV_URL", "localhost:3310"],
    ["CLAMAV_URL", "tcp://localhost"],
    ["CLAMAV_URL", "unix:clamd.ctl"],
    ["ADMIN_EMAILS", "a@example.org,b"],
    ["ADMIN_SECOND_FACTOR", "yes"],
    ["SECOND_FACTOR_REQUIRED", "students"],
    ["SECOND_FACTOR_REQUIRED", "admins agents"],
    ["PASSWORD_MIN_LENGTH", "5"],
    ["UNVERIFIED_BID_LIMIT", "10000.50"],
    ["BID_WITHDRAWAL", "always"],
    ["UPLOAD_MIN_FREE_MB", "1 GB"],
    ["SESSION_SECRET", "short"],
    ["TRUST_PROXY", "true"],
    ["LOG_LEVEL", "loud"],
    ["LOG_FORMAT", "xml"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_TRACES_SAMPLER", "sometimes"],
    ["OTEL_TRACES_SAMPLER_ARG", "often"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
  ])("%s=%s", (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(new RegExp(`\\b${name} must`));
  });
});

test("reads the virus scanner's address or socket", () => {
  const at = (url: string) => readEnvironment({ CLAMAV_URL: url }).clamav;
  expect(at("tcp://clamav:3310")).toEqual({ host: "clamav", port: 3310 });
  expect(at("tcp://[::1]:3310")).toEqual({ host: "::1", port: 3310 });
  expect(at("unix:/run/clamav/clamd.ctl")).toEqual({ path: "/run/clamav/clamd.ctl" });
  expect(at("")).toBeNull();
});

test("normalises the case of admins' addresses and drops duplicates", () => {
  expect(
    readEnvironment({ ADMIN_EMAILS: " A@Example.org, a@example.org ,b@example.org," }).adminEmails,
  ).toEqual(["a@example.org", "b@example.org"]);
});

test.each([
  [{}, []],
  [{ SECOND_FACTOR_REQUIRED: "admins" }, ["admin"]],
  [{ SECOND_FACTOR_REQUIRED: "agents, admins" }, ["agent", "admin"]],
  [{ ADMIN_SECOND_FACTOR: "required" }, ["admin"]],
  [{ ADMIN_SECOND_FACTOR: "required", SECOND_FACTOR_REQUIRED: "admins,agents" }, ["admin", "agent"]],
])("with %j a second factor is required of %j", (variables, roles) => {
  expect(readEnvironment(variables).secondFactorRequired).toEqual(roles);
});

test("traces are sent where OTEL_* variables say, unless they switch them off", () => {
  const to = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };
  const tracing = (from: Record<string, string>) => readEnvironment(from).tracing;
  expect(tracing({})).toBeNull();
  expect(tracing(to)?.url).toBe("http://collector:4318/v1/traces");
  expect(tracing({ ...to, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://other/x" })?.url).toBe(
    "http://other/x",
  );
  expect(
    tracing({ ...to, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" }),
  ).toMatchObject({ sampler: "traceidratio", share: 0.1 });
  expect(tracing({ ...to, OTEL_SDK_DISABLED: "true" })).toBeNull();
  expect(tracing({ ...to, OTEL_TRACES_EXPORTER: "none" })).toBeNull();
});

describe("a secret from a file", () => {
  const secret = "a secret for tests, at least 32 long";
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "wayfare-secret-"));
    await writeFile(join(folder, "secret"), `${secret}\n`);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("counts as the variable itself, without the final line break", () => {
    const read = readEnvironment({ SESSION_SECRET_FILE: join(folder, "secret") });
    expect(read).toEqual(readEnvironment({ SESSION_SECRET: secret }));
  });

  test("is refused by name if it is missing, invalid or set twice", () => {
    const secretFile = join(folder, "secret");
    expect(() => readEnvironment({ SESSION_SECRET_FILE: join(folder, "none") })).toThrow(
      "The file of SESSION_SECRET_FILE can't be read",
    );
    expect(() => readEnvironment({ SMTP_URL_FILE: secretFile })).toThrow("SMTP_URL must be");
    expect(() => readEnvironment({ SESSION_SECRET_FILE: secretFile, SESSION_SECRET: secret })).toThrow(
      "SESSION_SECRET and SESSION_SECRET_FILE are both set",
    );
  });
});

describe("a secret of Wayfare's own examples", () => {
  const examples = [
    { SESSION_SECRET: "only for trying: put 32 random characters here" },
    { DATABASE_URL: "postgres://wayfare_app:wayfare-app@postgres/wayfare" },
    { STORAGE_URL: "s3://wayfare:wayfare-files@s3:7070/wayfare" },
    { EVENTS_URL: "redis://:wayfare-events@events" },
  ];
  test.each(examples)("is refused at a public address: %j", (variables) => {
    const [name = ""] = Object.keys(variables);
    expect(() => readEnvironment({ ...variables, BASE_URL: "https://uni.example" })).toThrow(
      `${name} holds a secret of Wayfare's own examples`,
    );
    for (const BASE_URL of ["https://localhost", "http://localhost:3000"])
      expect(readEnvironment({ ...variables, BASE_URL })).toMatchObject({ baseUrl: BASE_URL });
  });

  test("is what compose.yaml falls back to", () => {
    const compose = readFileSync("compose.yaml", "utf8");
    for (const text of ["only for trying: put 32 random characters here", "wayfare-app", "wayfare-owner"])
      expect(compose).toContain(`-${text}}`);
  });
});

test.each(["p@ss/w:rd#1?", "w:rd#1", "pa?ss@1", "12/3", "12?3", "per%cent"])(
  "a password that is not percent-encoded is refused, and no piece of it repeated: %s",
  (password) => {
    const read = () => readEnvironment({ DATABASE_URL: `postgres://app:${password}@db.example/wayfare` });
    expect(read).toThrow(
      /DATABASE_URL must be postgres:\/\/USER:PASSWORD@HOST\/DATABASE; in the password percent-encode/,
    );
    for (const piece of password.split(/[^\w]+/).filter((each) => each.length > 1))
      expect(read).not.toThrow(new RegExp(`\\b${piece}\\b(?!-encode)`));
    const DATABASE_URL = `postgres://app:${encodeURIComponent(password)}@db.example/wayfare`;
    expect(readEnvironment({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
  },
);

test("accepts only known values of sslmode, of which all but disable and no-verify check the certificate", () => {
  const urlWith = (mode: string) =>
    readEnvironment({ DATABASE_URL: `postgres://app@db.example/wayfare?sslmode=${mode}` }).databaseUrl;
  for (const mode of ["require", "verify-ca", "verify-full"])
    expect(urlWith(mode)).toContain("sslmode=verify-full");
  for (const mode of ["disable", "no-verify"]) expect(urlWith(mode)).toContain(`sslmode=${mode}`);
  for (const mode of ["nonsense", "prefer", "constructor"])
    expect(() => urlWith(mode)).toThrow("DATABASE_URL must have an sslmode of disable, require");
});

test("takes request ids only from a proxy, and needs a separate port for metrics", () => {
  expect(() => readEnvironment({ TRUST_REQUEST_IDS: "on" })).toThrow("must come with TRUST_PROXY");
  expect(readEnvironment({ TRUST_REQUEST_IDS: "on", TRUST_PROXY: "1" })).toMatchObject({
    trustRequestIds: true,
  });
  expect(readEnvironment({ TRUST_PROXY: "1" })).toMatchObject({ trustRequestIds: false });
  expect(() => readEnvironment({ METRICS_PORT: "3000" })).toThrow(
    "METRICS_PORT must be another port than PORT",
  );
});
