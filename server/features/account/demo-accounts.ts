import { sql } from "drizzle-orm";
import { OperatorError } from "#server/platform/operator-error.ts";
import type { Services } from "#server/services.ts";
import { user } from "./tables.ts";

/** The prefix of the ids of the demo's accounts (`tools/demo/`). No other account has it. */
export const demoIdPrefix = "demo-";

/**
 * Throws OperatorError when a public Wayfare starts on a database that holds the demo: everyone knows the passwords of
 * its accounts, including its admin's.
 */
export async function refuseDemo({ environment, database }: Pick<Services, "environment" | "database">) {
  if (!environment.baseUrl.startsWith("https:")) return;
  const demo = await database.db.$count(user, sql`starts_with(${user.id}, ${demoIdPrefix})`);
  if (demo > 0)
    throw new OperatorError(
      "The demo is in this database, and everyone knows its passwords: with https in BASE_URL, use an empty one.",
    );
}
