import { sql } from "drizzle-orm";
import { OperatorError } from "#server/platform/operator-error.ts";
import type { Services } from "#server/services.ts";
import { user } from "./tables.ts";

/** Accounts of the demo (`demo/`), and nobody else's, have ids that begin like this. */
export const demoIdPrefix = "demo-";

/**
 * Ends the start of a public Wayfare on a database that holds the demo: everyone knows the password of its people, its
 * admin's too. Throws OperatorError.
 */
export async function refuseDemo({ environment, database }: Pick<Services, "environment" | "database">) {
  if (!environment.baseUrl.startsWith("https:")) return;
  const demo = await database.db.$count(user, sql`starts_with(${user.id}, ${demoIdPrefix})`);
  if (demo > 0)
    throw new OperatorError(
      "The demo is in this database, and everyone knows its passwords: with https in BASE_URL, use an empty one.",
    );
}
