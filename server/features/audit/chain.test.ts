import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditActions } from "#domain/audit.ts";
import { checkAll } from "#server/backup/check.ts";
import { knownMigrations, migrateTo, prepareDatabase } from "#server/platform/prepare-database.ts";
import { emptyPlace, ownerOf } from "#tests/support/backups.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { recordAudit } from "./commands.ts";
import { checkAuditLog, lastCheck, trimAuditLog } from "./nightly.ts";
import { headOf, headText, readHead } from "./verify-chain.ts";

let w: Wayfare;
beforeEach(async () => {
  w = await wayfare();
});
afterEach(() => w.stop());

/** Writes so many entries in one transaction, for each of the numbers. */
async function record(...entries: number[]): Promise<void> {
  for (const count of entries)
    await w.services.database.transaction((tx) =>
      recordAudit(
        tx,
        ...Array.from(
          { length: count },
          () => ({ action: "sign-in", detail: { to: "ü", as: "\\" } }) as const,
        ),
      ),
    );
}

type Link = { position: string; audit_id: string; hash: string };
const linksOf = async () =>
  (await w.services.database.pool.query<Link>("select * from audit_chain order by position")).rows;

/** Lists the problems of the audit log that `npm run check` reports. */
async function problems(known?: string): Promise<string[]> {
  const lines: string[] = [];
  await checkAll(
    ownerOf(w),
    w.services.storage.disk,
    (problem) => void lines.push(problem.replace("Audit log: ", "")),
    readHead(known),
  );
  return lines;
}

async function head(): Promise<string> {
  const link = await headOf(w.services.database.pool);
  return link ? headText(link) : "";
}

/** Changes the audit log with the rights of the database's owner. */
const tamper = (statement: string) =>
  w.asOwner(`alter table audit disable trigger user; alter table audit_chain disable trigger user; ${statement};
    alter table audit enable trigger user; alter table audit_chain enable trigger user`);

test("a link's hash is over the hash before it and the entry, as anyone can compute it", async () => {
  await record(2, 1);
  const { rows } = await w.services.database.pool.query<{ id: string; micros: string }>(
    "select id, (extract(epoch from at) * 1000000)::bigint as micros from audit order by id",
  );
  let hash = "";
  const expected = rows.map(({ id, micros }, at) => {
    const text = `[${id}, ${micros}, "sign-in", null, null, null, {"as": "\\\\", "to": "ü"}]`;
    hash = createHash("sha256")
      .update(hash + text)
      .digest("hex");
    return { position: String(at + 1), audit_id: id, hash };
  });
  expect(expected).toHaveLength(3);
  expect(await linksOf()).toEqual(expected);
});

test("entries of two nodes at once are in one chain without a gap, also beside transactions that fail", async () => {
  const other = await wayfare({ on: w.address });
  const write = async (at: number) =>
    await (at % 2 === 0 ? w : other).services.database.transaction(async (tx) => {
      for (let entry = 0; entry < 1 + (at % 4); entry++) await recordAudit(tx, { action: "sign-in" });
      if (at % 5 === 0) throw new Error("on purpose");
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, at) => write(at)));
  await other.stop();
  const reasons = outcomes.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
  expect(reasons).toEqual(Array.from({ length: 10 }, () => "Error: on purpose"));
  const links = await linksOf();
  const { rows } = await w.services.database.pool.query("select id from audit");
  expect(links.length).toBe(rows.length);
  expect(links.map(({ position }) => Number(position))).toEqual(links.map((_, at) => at + 1));
  expect(await problems()).toEqual([]);
});

test("the entries of an older version are in the chain after the update", async () => {
  const there = await emptyPlace();
  const { owner } = there.access;
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const before = (await knownMigrations()).find(({ tag }) => tag === "0015_recent-login");
    if (!before) throw new Error("there is no such migration");
    await migrateTo(client, owner, before);
    await client.query(
      "insert into audit (action, detail) select 'sign-in', jsonb_build_object('n', n) from generate_series(1, 50) n",
    );
    await prepareDatabase(there.access);
    await client.query("insert into audit (action) values ('sign-out')");
    const lines: string[] = [];
    const { head: end } = await checkAll(owner, there.storage.disk, (problem) => void lines.push(problem));
    expect({ lines, position: end?.position }).toEqual({ lines: [], position: 51 });
  } finally {
    await client.end();
    await there.remove();
  }
});

describe("the check finds", () => {
  beforeEach(() => record(3, 4, 3));

  const damages: [what: string, statement: string, found: RegExp[]][] = [
    ["an entry that was removed", "delete from audit where id = 4", [/^Link 4 has lost its entry 4$/]],
    [
      "an entry that was removed with its link",
      "delete from audit where id = 4; delete from audit_chain where position = 4",
      [/^Link 5 has lost the link before it$/],
    ],
    [
      "the oldest entries gone without a word",
      "delete from audit where id < 4; delete from audit_chain where position < 3",
      [/^Link 3 is the first, and no entry says that those before it were removed$/],
    ],
    [
      "a changed entry",
      "update audit set address = '192.0.2.1' where id = 5",
      [/^Link 5 does not fit its entry 5/],
    ],
    [
      "a changed entry whose own link was made to fit",
      `update audit set address = '192.0.2.1' where id = 5;
       update audit_chain c set hash = encode(sha256(convert_to(e.hash || audit_text(a), 'UTF8')), 'hex')
       from audit_chain e, audit a where c.position = 5 and e.position = 4 and a.id = 5`,
      [/^Link 6 does not fit its entry 6/],
    ],
    [
      "an entry from beside the chain",
      "insert into audit (action) values ('sign-out')",
      [/^Entry 11 is in no link$/],
    ],
    [
      "entries that changed places",
      `update audit_chain set audit_id = -1 where position = 2; update audit_chain set audit_id = 2 where position = 3;
       update audit_chain set audit_id = 3 where position = 2`,
      [/^Link 2 does not fit its entry 3/, /^Link 3 does not fit its entry 2/],
    ],
  ];

  test.each(damages)("%s", async (_, statement, found) => {
    expect(await problems()).toEqual([]);
    await tamper(statement);
    expect(await problems()).toEqual(found.map((each) => expect.stringMatching(each)));
  });

  test("an end that was cut off, by one that somebody kept", async () => {
    const kept = await head();
    await record(1);
    expect(await problems(kept)).toEqual([]);
    await tamper("delete from audit where id > 8; delete from audit_chain where position > 8");
    expect(await problems()).toEqual([]);
    expect(await problems(kept)).toEqual(["Link 10 is gone: the end of the log was removed"]);
    await record(5);
    expect(await problems(kept)).toEqual(["Link 10 is not the one that it was: the log was written anew"]);
  });
});

describe("every night", () => {
  const detailsOf = async () =>
    (
      await w.services.database.pool.query<{ detail: Record<string, string> }>(
        "select detail from audit where action = 'audit-checked' order by id",
      )
    ).rows.map(({ detail }) => detail);

  test("the end goes into the server's log, and what was found into the audit log", async () => {
    expect(await lastCheck(w.services.database.db)).toBe(null);
    await record(4);
    const end = await headOf(w.services.database.pool);
    await checkAuditLog(w.services);
    expect(w.log).toContainEqual(expect.objectContaining({ msg: "the end of the audit log", ...end }));
    expect(await lastCheck(w.services.database.db)).toMatchObject({ position: 4, problem: null });
    expect(await detailsOf()).toMatchObject([
      { head: headText(end ?? { position: 0, hash: "" }), next: "0:0" },
    ]);
    await checkAuditLog(w.services);
    expect(await lastCheck(w.services.database.db)).toMatchObject({ position: 5, problem: null });
    expect(w.log.filter(({ level }) => level > 40)).toEqual([]);
  });

  test("an end that was cut off since the last night is noticed, and the next night is told of what it sees", async () => {
    await record(9);
    await checkAuditLog(w.services);
    await record(3);
    await checkAuditLog(w.services);
    // The entry about the second night's check is left, so the log still names the end that this check saw.
    await tamper(
      "delete from audit where id in (11, 12, 13); delete from audit_chain where position in (11, 12, 13)",
    );
    await checkAuditLog(w.services);
    const check = await lastCheck(w.services.database.db);
    expect(check?.problem).toBe("Link 13 is gone: the end of the log was removed");
    expect(w.log).toContainEqual(
      expect.objectContaining({ msg: "the audit log is not what was written", problem: check?.problem }),
    );
  });

  test("a long log is gone through in parts, what is new at once, and a problem stays until a whole round has none", async () => {
    await w.services.database.pool.query(
      "insert into audit (action) select 'sign-in' from generate_series(1, 20500)",
    );
    const night = () => checkAuditLog(w.services, 1);
    const lastProblem = async () => (await lastCheck(w.services.database.db))?.problem ?? null;
    await night();
    expect(await detailsOf()).toMatchObject([{ next: "10000:10000" }]);
    await record(1);
    await tamper("update audit set address = 'x' where id = 20502");
    await night();
    expect(await detailsOf()).toMatchObject([{}, { next: "20000:20000" }]);
    expect(await lastProblem()).toMatch(/^Link 20502 does not fit/);
    await tamper("update audit set address = null where id = 20502");
    // These checks finish this round, and then do a whole one.
    for (let at = 0; at < 3; at++) {
      await night();
      expect(await lastProblem()).toMatch(/^Link 20502 does not fit/);
    }
    await night();
    expect(await lastProblem()).toBe(null);
  });
});

describe("old entries", () => {
  const retaining = (retainAuditDays: number | null) =>
    trimAuditLog({ ...w.services, environment: { ...w.environment, retainAuditDays } });
  const agesOf = async () =>
    (
      await w.services.database.pool.query<{ days: number }>(
        "select extract(day from now() - at)::int as days from audit where action = 'sign-in' order by id",
      )
    ).rows.map(({ days }) => days);
  const aged = (...days: number[]) =>
    w.services.database.pool.query(
      "insert into audit (action, at) select 'sign-in', now() - make_interval(days => d) from unnest($1::int[]) d",
      [days],
    );

  test("stay for ever unless the operator says otherwise, and a year at least", async () => {
    await aged(3000, 400, 366, 364, 1);
    await retaining(null);
    expect(await agesOf()).toEqual([3000, 400, 366, 364, 1]);
    await retaining(1000);
    expect(await agesOf()).toEqual([400, 366, 364, 1]);
    // Callers with the application's rights can't remove more.
    await w.services.database.pool.query("select audit_trim(now(), 1000)");
    await w.services.database.pool.query("select audit_trim(null, 1000)");
    expect(await agesOf()).toEqual([364, 1]);
    expect(await problems()).toEqual([]);
  });

  test("go without a trace in the tables but an entry by which the chain goes on", async () => {
    await aged(800, 790, 780, 10);
    const [, , third] = await linksOf();
    const kept = `2:${(await linksOf())[1]?.hash}`;
    await retaining(700);
    const { rows } = await w.services.database.pool.query(
      "select detail from audit where action = 'audit-trimmed'",
    );
    expect(rows).toEqual([{ detail: { entries: "3", position: "3", hash: third?.hash } }]);
    expect((await linksOf())[0]).toEqual(third);
    expect(await problems()).toEqual([]);
    // A head from before the removal can't be compared any more, and is no problem.
    expect(await problems(kept)).toEqual([]);
    await retaining(700);
    await record(2);
    await checkAuditLog(w.services);
    expect(await lastCheck(w.services.database.db)).toMatchObject({ problem: null });
  });

  test("behind a removed one stay, as evidence", async () => {
    await aged(800, 790, 780, 770, 10);
    await tamper("delete from audit where id = 3");
    await retaining(700);
    expect(await agesOf()).toEqual([780 - 10, 10]);
    expect(await problems()).toEqual(["Link 3 has lost its entry 3"]);
  });
});

test("docs/security.md names every action that the log records, and no other", async () => {
  const security = await readFile("docs/security.md", "utf8");
  const section = security.split("## Audit log\n")[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| About"));
  const named = rows.flatMap((row) => [...row.matchAll(/`([a-z-]+)`/g)].map(([, name = ""]) => name));
  expect(named.toSorted()).toEqual(Object.keys(auditActions).toSorted());
});
