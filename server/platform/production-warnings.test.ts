import { expect, test } from "vitest";
import { readEnvironment } from "./environment.ts";
import { productionWarnings } from "./production-warnings.ts";

const open = { ownsTables: true, samples: ["team.ts"], sampleProgrammes: true, asRoot: true };
const careful = { ownsTables: false, samples: [], sampleProgrammes: false, asRoot: false };

test("an installation without an https address causes no warnings", () => {
  expect(productionWarnings(readEnvironment({}), open)).toEqual([]);
});

test("warns the operator of a public address of everything that is still open", () => {
  const warnings = productionWarnings(readEnvironment({ BASE_URL: "https://wayfare.example" }), open);
  const subjects = [
    "team.ts",
    "Sample programmes",
    "SMTP_URL",
    "MAIL_FROM, CONTACT_EMAIL, ADMIN_EMAILS",
    "SECOND_FACTOR_REQUIRED",
    "DATABASE_MIGRATION_URL",
    "runs as root",
  ];
  expect(warnings).toEqual(subjects.map((subject) => expect.stringContaining(subject)));
});

test("a careful configuration causes no warning", () => {
  const environment = readEnvironment({
    BASE_URL: "https://wayfare.example",
    SMTP_URL: "smtps://mail.example",
    SECOND_FACTOR_REQUIRED: "admins",
    MAIL_FROM: "Uni <no-reply@uni.org>",
    CONTACT_EMAIL: "help@uni.org",
    ADMIN_EMAILS: "boss@uni.org",
  });
  expect(productionWarnings(environment, careful)).toEqual([]);
});

test.each([
  [{ DATABASE_URL: "postgres://db.example/wayfare" }, ["DATABASE_URL"]],
  [{ DATABASE_URL: "postgres://db.example/wayfare?sslmode=disable" }, ["DATABASE_URL"]],
  [{ DATABASE_URL: "postgres://db.example/wayfare?sslmode=verify-full" }, []],
  [{ DATABASE_URL: "postgres://127.0.0.1/wayfare" }, []],
  [{ DATABASE_URL: "postgres://[::1]/wayfare" }, []],
  [{ DATABASE_URL: "postgres://postgres/wayfare" }, []],
  [{ DATABASE_URL: "postgres://[2001:db8::1]/wayfare" }, ["DATABASE_URL"]],
  [{ DATABASE_URL: "postgres://127.example.org/wayfare" }, ["DATABASE_URL"]],
  [
    { DATABASE_URL: "postgres://postgres/wayfare", DATABASE_MIGRATION_URL: "postgres://db.example/wayfare" },
    ["DATABASE_MIGRATION_URL"],
  ],
  [
    { DATABASE_URL: "postgres://postgres/wayfare", DATABASE_REPLICA_URL: "postgres://[fd00::2]/wayfare" },
    ["DATABASE_REPLICA_URL"],
  ],
  [
    {
      DATABASE_URL: "postgres://[::1]/wayfare",
      DATABASE_MIGRATION_URL: "postgres://127.0.0.2/wayfare",
      DATABASE_REPLICA_URL: "postgres://db.example/wayfare?sslmode=verify-full",
    },
    [],
  ],
  [{ SMTP_URL: "smtp://mail.example:587" }, ["SMTP_URL"]],
  [{ SMTP_URL: "smtp://mail.example:587?requireTLS=true" }, []],
  [{ EVENTS_URL: "redis://events.example" }, ["EVENTS_URL"]],
  [{ EVENTS_URL: "rediss://events.example" }, []],
  [{ EVENTS_URL: "redis://redis" }, []],
  [{ STORAGE_URL: "s3://key:secret@store.example/files?insecure=true" }, ["STORAGE_URL"]],
  [{ STORAGE_URL: "s3://key:secret@store.example/files" }, []],
  [{ STORAGE_URL: "file:///srv/files" }, []],
])("with %j a warning of connections without encryption names %j", (variables, expected) => {
  const environment = readEnvironment({ BASE_URL: "https://wayfare.example", ...variables });
  const warning = productionWarnings(environment, careful).find((text) => text.includes("encrypted")) ?? "";
  const names = [
    "DATABASE_URL",
    "DATABASE_MIGRATION_URL",
    "DATABASE_REPLICA_URL",
    "EVENTS_URL",
    "SMTP_URL",
    "STORAGE_URL",
  ];
  expect(names.filter((name) => warning.includes(name))).toEqual(expected);
});
