import pg from "pg";
import type { Manifest } from "./archive-format.ts";

type Table = Manifest["tables"][number];
type Reference = { from: string; to: string };

/** Settings under which COPY writes and reads values the same in every database, without time limits. */
const session = `
  set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;`;

export const prepareSession = async (client: pg.Client): Promise<void> => void (await client.query(session));

export const qualified = (table: string): string => `public.${pg.escapeIdentifier(table)}`;
/** Returns a table and its stored columns in the form that COPY expects. */
export const copied = ({ name, columns }: Table): string =>
  `${qualified(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(", ")})`;

/** Lists all tables, with the columns that are not computed from others. */
const tablesText = `
  select relname as name, array_agg(attname::text order by attnum) filter (where attgenerated = '') as columns
  from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
  where relnamespace = 'public'::regnamespace and relkind = 'r'
  group by relname order by relname`;

const referencesText = `
  select distinct referring.relname as from, referred.relname as to
  from pg_constraint
  join pg_class referring on referring.oid = conrelid
  join pg_class referred on referred.oid = confrelid
  where contype = 'f' and conrelid <> confrelid`;

export async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<Table>(tablesText);
  return rows.map(({ name }) => name);
}

/** Returns every table after those that its rows refer to. */
export async function tablesInOrder(client: pg.Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(tablesText);
  const { rows: references } = await client.query<Reference>(referencesText);
  const ordered: Table[] = [];
  const isReady = ({ name }: Table) =>
    references.every(({ from, to }) => from !== name || ordered.some((table) => table.name === to));
  while (ordered.length < tables.length) {
    const ready = tables.filter((table) => !ordered.includes(table) && isReady(table));
    if (ready.length === 0) throw new Error("tables refer to each other in a circle");
    ordered.push(...ready);
  }
  return ordered;
}

export async function sequencesOf(client: pg.Client): Promise<Manifest["sequences"]> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null`,
  );
  return rows;
}
