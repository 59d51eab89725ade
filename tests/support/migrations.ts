import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { inject } from "vitest";
import { z } from "zod";

const journal = z.object({ entries: z.array(z.object({ tag: z.string() })) });
const textOf = (file: string) =>
  readFile(new URL(`../../server/migrations/${file}`, import.meta.url), "utf8");

/** Migrates like the server's start: all files in one transaction. */
async function migrate(client: pg.Client, tags: readonly string[]): Promise<void> {
  await client.query("begin");
  for (const tag of tags) await client.query(await textOf(`${tag}.sql`));
  await client.query("commit");
}

/** Creates a database of the version before a migration, adds rows to it, and migrates it from there on. */
export async function migratedDatabase(
  migration: string,
  addRows: (client: pg.Client) => Promise<void>,
): Promise<{ client: pg.Client; remove: () => Promise<void> }> {
  const database = `t_${randomUUID().replaceAll("-", "")}`;
  const { host, owner } = inject("postgres");
  const server = new pg.Client({ host, port: 5432, user: owner, database: "postgres" });
  await server.connect();
  await server.query(`create database ${database} template template0`);
  const client = new pg.Client({ host, port: 5432, user: owner, database });
  await client.connect();
  const tags = journal.parse(JSON.parse(await textOf("meta/_journal.json"))).entries.map(({ tag }) => tag);
  const at = tags.indexOf(migration);
  await migrate(client, tags.slice(0, at));
  await addRows(client);
  await migrate(client, tags.slice(at));
  return {
    client,
    async remove() {
      await client.end();
      await server.query(`drop database ${database} with (force)`);
      await server.end();
    },
  };
}
