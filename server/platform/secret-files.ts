import { readFileSync } from "node:fs";

/** A variable that can't be used; the message names it. */
export class EnvironmentError extends Error {
  override name = "EnvironmentError";
}

/** Variables that hold a secret: NAME_FILE can name a file with it, as containers and service managers pass secrets. */
const secrets = [
  "DATABASE_URL",
  "DATABASE_MIGRATION_URL",
  "EVENTS_URL",
  "DATABASE_REPLICA_URL",
  "SMTP_URL",
  "STORAGE_URL",
  "SESSION_SECRET",
] as const;

/** The variables, with secrets read from their files. Throws EnvironmentError. */
export function withSecretFiles(
  given: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const fromFiles = secrets.flatMap((name) => {
    const path = given[`${name}_FILE`];
    if (path === undefined) return [];
    if (given[name] !== undefined) throw new EnvironmentError(`${name} and ${name}_FILE are both set.`);
    try {
      return [[name, readFileSync(path, "utf8").trim()]];
    } catch (error) {
      throw new EnvironmentError(`The file of ${name}_FILE can't be read: ${path}`, { cause: error });
    }
  });
  return { ...given, ...Object.fromEntries(fromFiles) };
}
