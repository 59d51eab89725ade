import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { z } from "zod";
import { advisoryLocks } from "./advisory-locks.ts";
import { type DatabaseAddress, SteadyClient } from "./database.ts";
import type { Environment } from "./environment.ts";
import { migrateJobs } from "./jobs.ts";
import { OperatorError } from "./operator-error.ts";

/** One database, for the role that owns the tables and for the one that the application uses: perhaps the same. */
export type DatabaseAccess = { owner: DatabaseAddress; application: DatabaseAddress };

/** Returns the database that the operator has configured, or null. */
export function configuredDatabase(
  environment: Pick<Environment, "databaseUrl" | "databaseMigrationUrl">,
): DatabaseAccess | null {
  const { databaseUrl, databaseMigrationUrl } = environment;
  if (databaseUrl === null) return null;
  return {
    owner: { connectionString: databaseMigrationUrl ?? databaseUrl },
    application: { connectionString: databaseUrl },
  };
}

const migrationsFolder = fileURLToPath(new URL("../migrations", import.meta.url));
/** Drizzle's list of all migrations, in order. */
const journalName = join("meta", "_journal.json");
const journalForm = z.looseObject({ entries: z.array(z.looseObject({ when: z.int(), tag: z.string() })) });
/** PostgreSQL's error code. */
const insufficientPrivilege = "42501";

/**
 * Brings the tables up to date, and lets the application's role use them. Several nodes may start together: one does
 * it, the others wait. Returns whether the application's role could do more than it needs.
 */
export async function prepareDatabase({
  owner,
  application,
}: DatabaseAccess): Promise<{ ownsTables: boolean }> {
  const role = await roleAt(application);
  return await connected(owner, async (client) => {
    await lockMigrations(client);
    await appliedMigration(client);
    await bringUpToDate(client, owner);
    await grantUse(client, role);
    return { ownsTables: await isOwner(client, role) };
  });
}

/** A migration: its name and its ordering time. */
export type Migration = { tag: string; when: number };

const readJournal = async (folder: string) =>
  journalForm.parse(JSON.parse(await readFile(join(folder, journalName), "utf8")));

/** Returns every migration that this version knows, in order. */
export async function knownMigrations(): Promise<Migration[]> {
  return (await readJournal(migrationsFolder)).entries.map(({ tag, when }) => ({ tag, when }));
}

const mustOwn = "DATABASE_MIGRATION_URL must name the role that owns the tables.";

/** Whether migrations have been recorded. Throws OperatorError for a role that may not see them. */
async function hasMigrations(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ hasSchema: boolean; mayLook: boolean }>(
    `select to_regnamespace('drizzle') is not null as "hasSchema",
       coalesce(has_schema_privilege(to_regnamespace('drizzle')::oid, 'usage'), true) as "mayLook"`,
  );
  const [row] = rows;
  if (row?.hasSchema !== true) return false;
  if (!row.mayLook) throw new OperatorError(`The role may not see which tables there are: ${mustOwn}`);
  const { rows: tables } = await client.query<{ found: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as found",
  );
  return tables[0]?.found === true;
}

/** Whether any version of Wayfare has created its tables in the database. */
export const hasTables = (owner: DatabaseAddress): Promise<boolean> => connected(owner, hasMigrations);

/**
 * Returns the last migration that the database has had; null before the first. Throws OperatorError if this version
 * does not know it.
 */
export async function appliedMigration(client: pg.Client): Promise<Migration | null> {
  if (!(await hasMigrations(client))) return null;
  const { rows } = await client.query<{ when: string }>(
    "select created_at as when from drizzle.__drizzle_migrations order by created_at desc limit 1",
  );
  const [last] = rows;
  if (!last) return null;
  const migration = (await knownMigrations()).find(({ when }) => when === Number(last.when));
  if (migration) return migration;
  throw new OperatorError(
    "A newer version of Wayfare has changed this database, and this one does not know how. Start the newer one, or restore the backup from before the upgrade into another place (docs/operations/upgrade.md).",
  );
}

/** Takes the migration lock until the connection ends. A node that is started meanwhile waits. */
export const lockMigrations = async (client: pg.Client): Promise<void> =>
  void (await client.query("select pg_advisory_lock($1)", [advisoryLocks.migration]));

/** Brings the tables to an earlier version, such as a backup's. The caller must hold the lock. */
export async function migrateTo(client: pg.Client, owner: DatabaseAddress, last: Migration): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-migrations-"));
  try {
    await cp(migrationsFolder, folder, { recursive: true });
    const journal = await readJournal(folder);
    const entries = journal.entries.filter(({ when }) => when <= last.when);
    await writeFile(join(folder, journalName), JSON.stringify({ ...journal, entries }));
    await bringUpToDate(client, owner, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bringUpToDate(
  client: pg.Client,
  owner: DatabaseAddress,
  folder = migrationsFolder,
): Promise<void> {
  try {
    await migrate(drizzle(client), { migrationsFolder: folder });
    await migrateJobs(owner);
  } catch (error) {
    const cause: unknown = error instanceof Error && error.cause ? error.cause : error;
    if (!(cause instanceof pg.DatabaseError) || cause.code !== insufficientPrivilege) throw error;
    throw new OperatorError(`The tables can't be brought up to date (${cause.message}): ${mustOwn}`);
  }
}

/** Runs the work on its own connection. */
export async function connected<Result>(
  address: DatabaseAddress,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new SteadyClient(address);
  await client.connect();
  try {
    return await work(client);
  } finally {
    // Ending the connection frees its locks, whatever state it is in.
    await client.end();
  }
}

async function roleAt(address: DatabaseAddress): Promise<string> {
  return await connected(address, async (client) => {
    const { rows } = await client.query<{ role: string }>("select current_user as role");
    return rows[0]?.role ?? "";
  });
}

/** Whether the role owns any table; a superuser and a member of the owner's role count as the owner. */
async function isOwner(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `select bool_or(pg_has_role($1, relowner, 'member')) as owns from pg_class
     where relnamespace in ('public'::regnamespace, 'jobs'::regnamespace) and relkind in ('r', 'p')`,
    [role],
  );
  return rows[0]?.owns === true;
}

/**
 * Returns the grants for the application's role: to read, add, change and remove rows; with a trigger
 * "{table}_append_only" only to read and add, with "{table}_read_only" and for views only to read; to call functions
 * that act as the owner. Granted again at every start, so that it covers what a migration has added.
 */
const grants = `
  with schema as (select oid, nspname from pg_namespace where nspname in ('public', 'jobs')),
  relation as (
    select c.oid::regclass as name, relkind,
      exists (select from pg_trigger where tgrelid = c.oid and tgname = relname || '_append_only') as append_only,
      exists (select from pg_trigger where tgrelid = c.oid and tgname = relname || '_read_only') as read_only
    from pg_class c join schema on schema.oid = relnamespace
    where relkind in ('r', 'p', 'S', 'v') and relowner = current_user::regrole and relowner <> (select oid from pg_roles where rolname = $1::text))
  select format('grant usage on schema %I to %I', nspname, $1::text) as grant
  from schema where not has_schema_privilege($1::text, oid, 'usage')
  union all
  select format('revoke all on %s from %I', name, $1::text) from relation where append_only or read_only
  union all
  select format('grant %s on %s %s to %I',
    case when relkind = 'S' then 'usage, select' when read_only or relkind = 'v' then 'select'
      when append_only then 'select, insert' else 'select, insert, update, delete' end,
    case when relkind = 'S' then 'sequence' else 'table' end, name, $1::text)
  from relation
  union all
  select format('grant execute on function %s to %I', p.oid::regprocedure, $1::text)
  from pg_proc p join schema on schema.oid = pronamespace
  where prosecdef and prorettype <> 'trigger'::regtype and proowner = current_user::regrole
    and proowner <> (select oid from pg_roles where rolname = $1::text)`;

async function grantUse(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ grant: string }>(grants, [role]);
  // Sent together, they are one transaction. With a single role there is nothing to grant.
  await client.query(rows.map((row) => row.grant).join(";\n"));
}
