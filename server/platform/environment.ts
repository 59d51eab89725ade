import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { lowestPasswordMinLength, type Role } from "#domain/account.ts";
import { withdrawalModes } from "#domain/bid-withdrawal.ts";
import { looksLikeEmail, normaliseEmail } from "#domain/email.ts";
import { centsPerRand, highestAmount } from "#domain/money.ts";
import { isSearchTemplate } from "#domain/program-search.ts";
import type { RetentionDays } from "#domain/retention.ts";
import { secondFactorGroups } from "#domain/second-factor.ts";
import { clamavAddress, postgresAddress, storageAddress, url, withPassword } from "./addresses.ts";
import { OperatorError } from "./operator-error.ts";
import { isPublic, variablesWithPublishedSecrets } from "./published-secrets.ts";

/** Variables that hold a secret. NAME_FILE can name a file with it, as containers and service managers pass secrets. */
const secrets = [
  "DATABASE_URL",
  "DATABASE_MIGRATION_URL",
  "EVENTS_URL",
  "DATABASE_REPLICA_URL",
  "SMTP_URL",
  "STORAGE_URL",
  "SESSION_SECRET",
] as const;

/** Returns the variables, with secrets read from their files. Throws OperatorError. */
function withSecretFiles(settings: Record<string, string | undefined>): Record<string, string | undefined> {
  const fromFiles = secrets.flatMap((name) => {
    const path = settings[`${name}_FILE`];
    if (path === undefined) return [];
    if (settings[name] !== undefined) throw new OperatorError(`${name} and ${name}_FILE are both set.`);
    try {
      return [[name, readFileSync(path, "utf8").trim()]];
    } catch (error) {
      throw new OperatorError(`The file of ${name}_FILE can't be read: ${path}`, { cause: error });
    }
  });
  return { ...settings, ...Object.fromEntries(fromFiles) };
}

/** The admins of a fresh installation; `.env.example` shows the same two. */
const defaultAdminEmails = "admin@wayfare.example,office@wayfare.example";

/** Any search engine finds programmes; a consultancy can set the search that it works with. */
const defaultProgramSearchUrl = "https://duckduckgo.com/?q={query}+degree+{location}";

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be from ${least} to ${most}`);

/** Days for which something is kept, at least `least`; null: forever. */
const retention = (least: number) =>
  whole(0, 36_500)
    .refine((days) => days === 0 || days >= least, `must be 0, or at least ${least}`)
    .transform((days) => (days === 0 ? null : days))
    .default(null);

const ipAddress = z.string().refine((text) => isIP(text) > 0, "must be an IP address");

const email = z.string().refine(looksLikeEmail, "must be an email address");

const emails = z
  .string()
  .transform((text) => [...new Set(text.split(",").map(normaliseEmail).filter(Boolean))])
  .refine((list) => list.every(looksLikeEmail), "must be email addresses with commas between them");

const isSecondFactorGroup = (name: string): name is keyof typeof secondFactorGroups =>
  Object.hasOwn(secondFactorGroups, name);

/** Roles that need a second factor, such as "admins,agents". */
const secondFactorRoles = z.string().transform((text, check) => {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  if (!names.every(isSecondFactorGroup)) check.addIssue("must be admins, agents or admins,agents");
  return names.filter(isSecondFactorGroup).map((name): Role => secondFactorGroups[name]);
});

/** "Wayfare <no-reply@example.org>" or a bare address. */
const sender = z
  .string()
  .refine(
    (text) => looksLikeEmail(/<([^<>]+)>$/.exec(text)?.[1] ?? text),
    "must be an address, or 'Name <address>'",
  );

const origin = url(["http:", "https:"], "an http or https address")
  .refine((text) => new URL(text).pathname === "/", { error: "must have no path", abort: true })
  .transform((text) => new URL(text).origin);

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Sampling methods of traces, by OpenTelemetry's names. */
const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const logFormat = z.enum(["json", "text"], "must be json or text");
/** A terminal is read by a person, any other output by a program. */
const defaultLogFormat = process.stdout.isTTY ? "text" : "json";

/** Returns the format of the log, even if other variables are invalid. */
export const logFormatOf = ({ LOG_FORMAT }: Record<string, string | undefined>) =>
  logFormat.catch(defaultLogFormat).parse(LOG_FORMAT);

const variableTypes = z.object({
  PORT: whole(1, 65_535).default(3000),
  HOST: ipAddress.optional(),
  METRICS_PORT: whole(1, 65_535).optional(),
  METRICS_HOST: ipAddress.default("127.0.0.1"),
  BASE_URL: origin.optional(),
  DATA_DIR: z.string().default("data"),
  DATABASE_URL: postgresAddress.optional(),
  DATABASE_MIGRATION_URL: postgresAddress.optional(),
  EVENTS_URL: withPassword(["redis:", "rediss:"], "a redis:// or rediss:// address").optional(),
  DATABASE_REPLICA_URL: postgresAddress.optional(),
  SMTP_URL: withPassword(["smtp:", "smtps:"], "an smtp:// or smtps:// address").optional(),
  MAIL_FROM: sender.default("Wayfare <no-reply@wayfare.example>"),
  CONTACT_EMAIL: email.default("support@wayfare.example"),
  PROGRAM_SEARCH_URL: z
    .string()
    .refine(isSearchTemplate, "must be an http or https address with {query} behind its host")
    .default(defaultProgramSearchUrl),
  STORAGE_URL: storageAddress.optional(),
  CLAMAV_URL: clamavAddress.optional(),
  ADMIN_EMAILS: emails.default(emails.parse(defaultAdminEmails)),
  SECOND_FACTOR_REQUIRED: secondFactorRoles.default([]),
  ADMIN_SECOND_FACTOR: z.enum(["off", "required"], "must be off or required").default("off"),
  PASSWORD_MIN_LENGTH: whole(lowestPasswordMinLength, 64).default(lowestPasswordMinLength),
  UPLOAD_MIN_FREE_MB: whole(0, 100_000_000).default(1024),
  UNVERIFIED_BID_LIMIT: whole(1, highestAmount / centsPerRand).default(10_000),
  BID_WITHDRAWAL: z.enum(withdrawalModes, "must be mistake or law").default("mistake"),
  RETAIN_DENIED_AGENTS_DAYS: retention(1),
  RETAIN_WITHDRAWN_STUDENTS_DAYS: retention(60),
  RETAIN_NOTIFICATIONS_DAYS: retention(30),
  NOTES_IN_DOWNLOAD: z.enum(["off", "on"], "must be off or on").default("on"),
  RETAIN_AUDIT_DAYS: whole(365, 36_500).optional(),
  SESSION_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  TRUST_PROXY: whole(0, 10).default(0),
  TRUST_REQUEST_IDS: z.enum(["off", "on"], "must be off or on").default("off"),
  WEBHOOKS_ALLOW_PRIVATE: z.enum(["off", "on"], "must be off or on").default("off"),
  ACCESS_LOG: z.enum(["off", "on"], "must be off or on").default("off"),
  OTEL_SDK_DISABLED: z.enum(["true", "false"], "must be true or false").default("false"),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"], "must be otlp or none").default("otlp"),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(["http:", "https:"], "an http or https address").optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(["http:", "https:"], "an http or https address").optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal("http/json", "must be http/json").default("http/json"),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, `must be one of ${samplers.join(", ")}`)
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .transform(Number)
    .refine((share) => share >= 0 && share <= 1, "must be a number from 0 to 1")
    .default(1),
  LOG_FORMAT: logFormat.default(defaultLogFormat),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
});

type Variables = z.infer<typeof variableTypes>;
const requiresDatabaseUrl = (
  name: "DATABASE_MIGRATION_URL" | "DATABASE_REPLICA_URL",
): [(values: Variables) => boolean, { path: string[]; error: string }] => [
  (values) => values[name] === undefined || values.DATABASE_URL !== undefined,
  { path: [name], error: "must come with DATABASE_URL" },
];

const variables = variableTypes
  .refine(...requiresDatabaseUrl("DATABASE_MIGRATION_URL"))
  .refine(...requiresDatabaseUrl("DATABASE_REPLICA_URL"))
  .refine((values) => values.WEBHOOKS_ALLOW_PRIVATE === "off" || !values.BASE_URL?.startsWith("https:"), {
    path: ["WEBHOOKS_ALLOW_PRIVATE"],
    error: "is for trying out on one's own machine, not for a BASE_URL with https",
  })
  .refine((values) => values.TRUST_REQUEST_IDS === "off" || values.TRUST_PROXY > 0, {
    path: ["TRUST_REQUEST_IDS"],
    error: "must come with TRUST_PROXY: otherwise anybody could choose the ids",
  })
  .refine((values) => values.METRICS_PORT !== values.PORT, {
    path: ["METRICS_PORT"],
    error: "must be another port than PORT",
  })
  .superRefine((values, check) => {
    if (values.BASE_URL === undefined || !isPublic(values.BASE_URL)) return;
    for (const name of variablesWithPublishedSecrets(values))
      check.addIssue({
        code: "custom",
        path: [name],
        message: "holds a secret of Wayfare's own examples, which everybody knows: choose another one",
      });
  });

/** The settings of this Wayfare; docs/configuration.md says what each variable does. */
export type Environment = ReturnType<typeof readEnvironment>;

function tracingOf(values: Variables) {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, "");
  const address =
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base === undefined ? null : `${base}/v1/traces`);
  const isOff = values.OTEL_SDK_DISABLED === "true" || values.OTEL_TRACES_EXPORTER === "none";
  if (address === null || isOff) return null;
  return { url: address, sampler: values.OTEL_TRACES_SAMPLER, share: values.OTEL_TRACES_SAMPLER_ARG };
}

/** Checks the variables; an empty one counts as unset. Throws OperatorError. */
export function readEnvironment(from: Record<string, string | undefined>) {
  const settings = Object.fromEntries(Object.entries(from).filter(([, value]) => value?.trim()));
  const result = variables.safeParse(withSecretFiles(settings));
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
    throw new OperatorError(`The configuration isn't valid:\n  ${problems.join("\n  ")}`);
  }
  const values = result.data;
  return {
    port: values.PORT,
    /** The address to listen on; null for all of this machine's. */
    host: values.HOST ?? null,
    /** Port that serves metrics to Prometheus; null for none. */
    metricsPort: values.METRICS_PORT ?? null,
    metricsHost: values.METRICS_HOST,
    /** The origin that people use, e.g. `https://wayfare.example`. */
    baseUrl: values.BASE_URL ?? `http://localhost:${values.PORT}`,
    /** Absolute path. */
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    /** Address of the same database for the role that owns its tables; null when that is the role of `databaseUrl`. */
    databaseMigrationUrl: values.DATABASE_MIGRATION_URL ?? null,
    /** Address of a Redis or Valkey that carries events between nodes; null: PostgreSQL carries them. */
    eventsUrl: values.EVENTS_URL ?? null,
    /** A standby that lists and searches are read from; null for none. */
    databaseReplicaUrl: values.DATABASE_REPLICA_URL ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM,
    contactEmail: values.CONTACT_EMAIL,
    /** Address of the external program search, with {query} and perhaps {location} in it. */
    programSearchUrl: values.PROGRAM_SEARCH_URL,
    storageUrl: values.STORAGE_URL ?? null,
    /** Address of ClamAV's clamd, which scans uploads; null for none. */
    clamav: values.CLAMAV_URL ?? null,
    adminEmails: values.ADMIN_EMAILS,
    /** Roles that, without a second factor, can only set one up. */
    secondFactorRequired: [
      ...new Set<Role>([
        // This former variable requires it of admins alone.
        ...(values.ADMIN_SECOND_FACTOR === "required" ? (["admin"] as const) : []),
        ...values.SECOND_FACTOR_REQUIRED,
      ]),
    ],
    passwordMinLength: values.PASSWORD_MIN_LENGTH,
    /** Free bytes on the disk of the files, below which uploads are refused. */
    uploadMinFree: values.UPLOAD_MIN_FREE_MB * 1024 * 1024,
    /** Highest bid in cents of an account whose email address isn't verified. */
    unverifiedBidLimit: values.UNVERIFIED_BID_LIMIT * centsPerRand,
    /** When bids may be withdrawn: after an obvious slip, or at any time before the end. */
    bidWithdrawal: values.BID_WITHDRAWAL,
    /** Days after which the nightly job removes other records; null keeps them forever. */
    retention: {
      deniedAgents: values.RETAIN_DENIED_AGENTS_DAYS,
      withdrawnStudents: values.RETAIN_WITHDRAWN_STUDENTS_DAYS,
      notifications: values.RETAIN_NOTIFICATIONS_DAYS,
    } satisfies RetentionDays,
    /** Days after which entries of the audit log are removed; null for never. */
    retainAuditDays: values.RETAIN_AUDIT_DAYS ?? null,
    /** Whether students find the notes about them in the download of their data. */
    notesInDownload: values.NOTES_IN_DOWNLOAD === "on",
    /** Null: a secret is generated and kept in the data folder. */
    sessionSecret: values.SESSION_SECRET ?? null,
    /** Whether webhooks may go to private addresses, and by http. */
    webhooksAllowPrivate: values.WEBHOOKS_ALLOW_PRIVATE === "on",
    /** Number of our proxies in front, which add to X-Forwarded-For. */
    trustProxy: values.TRUST_PROXY,
    /** Whether X-Request-Id and traceparent come from our proxy and are used. */
    trustRequestIds: values.TRUST_REQUEST_IDS === "on",
    /** Whether each request is logged. */
    accessLog: values.ACCESS_LOG === "on",
    /** Address to which spans are sent, and the sampling of traces; null: nothing is traced. `share` from 0 to 1. */
    tracing: tracingOf(values),
    /** `text`: for people, and the default on a terminal. */
    logFormat: values.LOG_FORMAT,
    logLevel: values.LOG_LEVEL,
  };
}
