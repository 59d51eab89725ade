import { PgBoss } from "pg-boss";
import { runningPostgres } from "#server/platform/embedded-postgres.ts";
import { inDatabase } from "./auctioneer.ts";
import type { Server } from "./server.ts";
import { expect } from "./story.ts";

/** Makes a running server do its nightly work immediately, and waits until it is done. */
export async function nightPasses(server: Pick<Server, "dataDir">): Promise<void> {
  const address = await runningPostgres(server.dataDir);
  if (!address) throw new Error(`no server runs on ${server.dataDir}`);
  const boss = new PgBoss({ ...address, schema: "jobs", migrate: false, supervise: false, schedule: false });
  boss.on("error", () => {});
  await boss.start();
  const id = await boss.send("tidy-up", null);
  await boss.stop({ graceful: false });
  await inDatabase(server, async ({ services: { database } }) =>
    expect
      .poll(async () => {
        const { rows } = await database.pool.query<{ state: string }>(
          "select state from jobs.job where id = $1",
          [id],
        );
        return rows[0]?.state;
      })
      .toBe("completed"),
  );
}

/** Returns every row of every table as text, including the mail queue's. */
export const everyRow = (server: Pick<Server, "dataDir">): Promise<string> =>
  inDatabase(server, async ({ services: { database } }) => {
    const { rows: tables } = await database.pool.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'jobs')",
    );
    let text = "";
    for (const { name } of tables) {
      const { rows } = await database.pool.query<{ row: string }>(`select t::text as row from ${name} t`);
      text += rows.map(({ row }) => `${name} ${row}\n`).join("");
    }
    return text;
  });
