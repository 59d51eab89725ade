import { isIPv4 } from "node:net";
import type { Environment } from "./environment.ts";

type Surroundings = {
  /** Whether the application's database role could change the audit log. */
  ownsTables: boolean;
  /** Files of web/content that still hold samples. */
  samples: readonly string[];
  /** Whether sample programmes are in the catalogue. */
  sampleProgrammes: boolean;
  asRoot?: boolean;
};

/** Whether an address is another machine's. A name without a dot belongs to a network between containers. */
function isElsewhere({ hostname }: URL): boolean {
  if (hostname.startsWith("[")) return hostname !== "[::1]";
  return hostname.includes(".") && !(isIPv4(hostname) && hostname.startsWith("127."));
}

/** Lists the addresses to which passwords and people's data go over a network without encryption. */
function unencrypted(environment: Environment): string[] {
  const { databaseUrl, databaseMigrationUrl, databaseReplicaUrl, eventsUrl, smtpUrl, storageUrl } =
    environment;
  const isOpen = (address: string | null, open: (url: URL) => boolean) => {
    const url = address === null ? null : new URL(address);
    return url !== null && isElsewhere(url) && open(url);
  };
  const databases: [string, string | null][] = [
    ["DATABASE_URL", databaseUrl],
    ["DATABASE_MIGRATION_URL", databaseMigrationUrl],
    ["DATABASE_REPLICA_URL", databaseReplicaUrl],
  ];
  return [
    ...databases
      .filter(([, address]) => isOpen(address, (url) => url.searchParams.get("sslmode") !== "verify-full"))
      .map(([name]) => `${name} (add ?sslmode=verify-full)`),
    ...(isOpen(eventsUrl, (url) => url.protocol === "redis:") ? ["EVENTS_URL (use rediss://)"] : []),
    ...(isOpen(smtpUrl, (url) => url.protocol === "smtp:" && url.searchParams.get("requireTLS") !== "true")
      ? ["SMTP_URL (use smtps://, or add ?requireTLS=true)"]
      : []),
    ...(isOpen(storageUrl, (url) => url.protocol === "s3:" && url.searchParams.get("insecure") === "true")
      ? ["STORAGE_URL (leave out insecure=true)"]
      : []),
  ];
}

/** Lists the variables whose email addresses are examples, which nobody can own (RFC 2606). */
function withExampleAddresses({ mailFrom, contactEmail, adminEmails }: Environment): string[] {
  const isExample = (address: string) => /\.example>?$/i.test(address);
  return [
    ...(isExample(mailFrom) ? ["MAIL_FROM"] : []),
    ...(isExample(contactEmail) ? ["CONTACT_EMAIL"] : []),
    ...(adminEmails.some(isExample) ? ["ADMIN_EMAILS"] : []),
  ];
}

/** Lists settings that are unsafe in production. They are logged at every start with an https address. */
export function productionWarnings(
  environment: Environment,
  { ownsTables, samples, sampleProgrammes, asRoot = process.getuid?.() === 0 }: Surroundings,
): string[] {
  const { baseUrl, smtpUrl, secondFactorRequired, dataDir } = environment;
  if (!baseUrl.startsWith("https:")) return [];
  const open = unencrypted(environment);
  const examples = withExampleAddresses(environment);
  const warnings: [boolean, string][] = [
    [
      samples.length > 0,
      `Sample texts are still shown to visitors: replace them in web/content/ (${samples.join(", ")}).`,
    ],
    [
      sampleProgrammes,
      "Sample programmes are shown to visitors: remove them on /admin/programmes, where a filter lists them.",
    ],
    [
      smtpUrl === null,
      `No emails are sent: without SMTP_URL they stay in ${dataDir}/mail, and nobody gets their links.`,
    ],
    [
      examples.length > 0,
      `Addresses that end in .example reach nobody: put yours into ${examples.join(", ")}.`,
    ],
    [
      !secondFactorRequired.includes("admin"),
      "Admins may log in with a password alone: set SECOND_FACTOR_REQUIRED=admins,agents.",
    ],
    [
      ownsTables,
      "The role of DATABASE_URL owns the tables and could change the audit log: " +
        "give it another role, and the owner in DATABASE_MIGRATION_URL (docs/operations/install.md).",
    ],
    [open.length > 0, `Connections to other machines may not be encrypted: ${open.join(", ")}.`],
    [asRoot, "Wayfare runs as root: start it as a user of its own (docs/operations/install.md)."],
  ];
  return warnings.filter(([applies]) => applies).map(([, text]) => text);
}
