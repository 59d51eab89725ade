import type { Environment } from "./environment.ts";

type Found = {
  /** Whether the application's database role could change the audit log. */
  ownsTables: boolean;
  /** Files of web/content that still hold samples. */
  samples: readonly string[];
  asRoot?: boolean;
};

/** What should not stay as it is where people work with it: logged at every start with an https address. */
export function productionWarnings(
  { baseUrl, smtpUrl, secondFactorRequired, dataDir }: Environment,
  { ownsTables, samples, asRoot = process.getuid?.() === 0 }: Found,
): string[] {
  if (!baseUrl.startsWith("https:")) return [];
  const warnings: [boolean, string][] = [
    [
      samples.length > 0,
      `Sample texts are still shown to visitors: replace them in web/content/ (${samples.join(", ")}).`,
    ],
    [
      smtpUrl === null,
      `No emails are sent: without SMTP_URL they stay in ${dataDir}/mail, and nobody gets their links.`,
    ],
    [
      !secondFactorRequired.includes("admin"),
      "Admins may log in with a password alone: set SECOND_FACTOR_REQUIRED=admins,agents.",
    ],
    [
      ownsTables,
      "The role of DATABASE_URL owns the tables and could change the audit log: " +
        "give it another role, and the owner in DATABASE_MIGRATION_URL (docs/operations.md).",
    ],
    [asRoot, "Wayfare runs as root: start it as a user of its own (docs/operations.md)."],
  ];
  return warnings.filter(([applies]) => applies).map(([, text]) => text);
}
