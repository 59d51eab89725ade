import { readSecrets } from "./keys.ts";

/** Secrets of compose.yaml and the documents, for trying Wayfare out at home. */
const publishedSecrets: ReadonlySet<string> = new Set([
  "only for trying: put 32 random characters here",
  "wayfare-app",
  "wayfare-owner",
  "wayfare-files",
  "wayfare-events",
]);

const withPasswords = ["DATABASE_URL", "DATABASE_MIGRATION_URL", "STORAGE_URL", "EVENTS_URL"] as const;
type Variables = Partial<Record<"SESSION_SECRET" | (typeof withPasswords)[number], string | undefined>>;

/** Whether others can reach the address: it has https, and isn't this machine's own name. */
export function isPublic(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "https:" && hostname !== "localhost" && hostname !== "127.0.0.1";
}

/** Returns the variables whose secret everyone can read in this repository. */
export function variablesWithPublishedSecrets(variables: Variables): (keyof Variables)[] {
  const isPublished = (secret: string) => publishedSecrets.has(secret);
  const { SESSION_SECRET: secret } = variables;
  const addresses = withPasswords.filter((name) => {
    const address = variables[name];
    return address !== undefined && isPublished(decodeURIComponent(new URL(address).password));
  });
  return secret !== undefined && readSecrets(secret).some(isPublished)
    ? ["SESSION_SECRET", ...addresses]
    : addresses;
}
