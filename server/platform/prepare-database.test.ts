import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { freshDatabase } from "#tests/support/wayfare.ts";
import { prepareDatabase } from "./prepare-database.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let application: pg.Client;
let owner: pg.Client;
beforeAll(async () => {
  database = await freshDatabase();
  application = new pg.Client(database.address);
  owner = new pg.Client(database.owner);
  await Promise.all([application.connect(), owner.connect()]);
});
afterAll(async () => {
  await Promise.all([application.end(), owner.end()]);
  await database.drop();
});

const refused = { code: "42501" };

describe("the application's role", () => {
  test.each([
    "delete from audit",
    "update audit set action = 'nothing'",
    "truncate audit",
    "insert into audit_chain values (99, 99, 'x')",
    "update audit_chain set hash = 'x'",
    "delete from audit_chain",
    "truncate audit_chain",
    "select * from audit_chain for update",
    "alter table audit disable trigger audit_linked",
    "set wayfare.audit_trim = 'on'; delete from audit",
    "set wayfare.audit_trim = 'on'; delete from audit_chain",
    "create or replace function audit_text(a audit) returns text language sql return ''",
    "delete from application_step",
    "update application_step set note = ''",
    "truncate open_digest",
    "alter table audit disable trigger all",
    "drop trigger audit_append_only on audit",
    "set session_replication_role = replica",
    "select pg_read_file('postmaster.pid')",
    "copy (select 1) to program 'cat'",
    "copy (select 1) to '/tmp/wayfare-copied'",
    "create table public.own (n int)",
    "create table jobs.own (n int)",
    "create role other superuser",
    "alter role current_user superuser",
    "set role wayfare",
    "create extension dblink",
  ])("is refused: %s", async (statement) => {
    await expect(application.query(statement)).rejects.toMatchObject(refused);
  });

  test("owns no table", async () => {
    const { rows } = await application.query(
      "select oid::regclass from pg_class where pg_has_role(current_user, relowner, 'member')",
    );
    expect(rows).toEqual([]);
  });

  test("adds to the audit log and reads it", async () => {
    await application.query("insert into audit (action) values ('sign-in')");
    const { rows } = await application.query("select action from audit");
    expect(rows).toEqual([{ action: "sign-in" }]);
    expect((await application.query("select position, audit_id from audit_chain")).rows).toEqual([
      { position: "1", audit_id: "1" },
    ]);
  });

  test("may use tables that a migration adds, and only add to append-only ones", async () => {
    await owner.query(`
      create table added (id serial primary key, n int);
      create table added_log (n int);
      create function refuse_change() returns trigger language plpgsql as $$ begin raise 'append-only'; end $$;
      create trigger added_log_append_only before update or delete on added_log
        for each statement execute function refuse_change();`);
    await expect(application.query("select * from added")).rejects.toMatchObject(refused);
    const access = { owner: database.owner, application: database.address };
    expect(await prepareDatabase(access)).toEqual({ ownsTables: false });
    await application.query("insert into added (n) values (1); update added set n = 2; delete from added");
    await application.query("insert into added_log values (1); select * from added_log");
    await expect(application.query("delete from added_log")).rejects.toMatchObject(refused);
  });

  test("loses rights to a table that has become append-only at the next start", async () => {
    await owner.query(`grant all on audit, audit_chain to ${inject("postgres").application}`);
    await prepareDatabase({ owner: database.owner, application: database.address });
    for (const statement of ["delete from audit", "delete from audit_chain", "truncate audit"])
      await expect(application.query(statement), statement).rejects.toMatchObject(refused);
  });
});

test.each([
  "update audit_chain set hash = 'x'",
  "delete from audit_chain",
  "truncate audit_chain",
  // Permission to remove ends with the function that has it.
  "select audit_trim(now(), 1); delete from audit",
  "select audit_trim(now(), 1); delete from audit_chain",
])("the owner of the tables is refused by a trigger: %s", async (statement) => {
  await expect(owner.query(statement)).rejects.toThrow(/append-only/);
});

test("functions that run as the owner ignore their caller's search path", async () => {
  const { rows } = await owner.query(
    "select proname as name, proconfig as settings from pg_proc where prosecdef and pronamespace = 'public'::regnamespace",
  );
  const settings = ["search_path=pg_catalog, pg_temp"];
  expect(rows).toContainEqual({ name: "audit_link", settings });
  expect(rows).toEqual(rows.map(({ name }) => ({ name, settings })));
});

test("a role that is neither owner nor application can't remove entries of the audit log", async () => {
  const role = `other_${randomUUID().slice(0, 8)}`;
  await owner.query(`create role ${role} login`);
  const other = new pg.Client({ ...database.address, user: role });
  await other.connect();
  await expect(other.query("select audit_trim(now(), 1)")).rejects.toMatchObject(refused);
  await other.end();
  await owner.query(`drop role ${role}`);
  await application.query("select audit_trim(now(), 1)");
});

test("a missing owner is reported with the variable that should name it", async () => {
  const access = { owner: database.address, application: database.address };
  await expect(prepareDatabase(access)).rejects.toThrow(
    /DATABASE_MIGRATION_URL must name the role that owns/,
  );
});

test("reports a single role that owns and uses the tables", async () => {
  const { host } = inject("postgres");
  const role = `single_${randomUUID().slice(0, 8)}`;
  await owner.query(`create role ${role} login`);
  await owner.query(`create database ${role} owner ${role}`);
  const only = { host, port: 5432, user: role, database: role };
  expect(await prepareDatabase({ owner: only, application: only })).toEqual({ ownsTables: true });
  await owner.query(`drop database ${role}`);
  await owner.query(`drop role ${role}`);
});

test("chains and protects the audit log with two roles of the operator's, neither a superuser", async () => {
  const { host } = inject("postgres");
  const name = `own_${randomUUID().slice(0, 8)}`;
  await owner.query(`create role ${name}_owner login; create role ${name}_app login`);
  await owner.query(`create database ${name} owner ${name}_owner`);
  const [ofOwner, ofApplication] = ["owner", "app"].map((role) => ({
    host,
    port: 5432,
    user: `${name}_${role}`,
    database: name,
  }));
  if (!ofOwner || !ofApplication) throw new Error("there are two roles");
  expect(await prepareDatabase({ owner: ofOwner, application: ofApplication })).toEqual({
    ownsTables: false,
  });
  const app = new pg.Client(ofApplication);
  await app.connect();
  await app.query(
    "insert into audit (action, at) values ('sign-in', now() - interval '2 years'), ('sign-in', now())",
  );
  for (const statement of [
    "insert into audit_chain values (99, 99, 'x')",
    "update audit_chain set hash = 'x'",
    "delete from audit_chain",
    "delete from audit",
  ])
    await expect(app.query(statement), statement).rejects.toMatchObject(refused);
  expect((await app.query("select audit_trim(now(), 10) as removed")).rows).toEqual([{ removed: 1 }]);
  expect((await app.query("select position from audit_chain order by position")).rows).toEqual([
    { position: "1" },
    { position: "2" },
    { position: "3" },
  ]);
  await app.end();
  await owner.query(`drop database ${name}`);
  await owner.query(`drop role ${name}_owner; drop role ${name}_app`);
});
