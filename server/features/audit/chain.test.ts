import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditActions } from "#domain/audit.ts";
import { checkAll } from "#server/backup/check.ts";
import { knownMigrations, migrateTo, prepareDatabase } from "#server/platform/prepare-database.ts";
import { auditLinksOf, auditProblemsOf, recordEntries, tamperWithAudit } from "#tests/support/audit-log.ts";
import { emptyPlace } from "#tests/support/backups.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { recordAudit } from "./commands.ts";
import { headOf, headText } from "./verify-chain.ts";

let w: Wayfare;
beforeEach(async () => {
  w = await wayfare();
});
afterEach(() => w.stop());

const record = (...entries: number[]) => recordEntries(w, ...entries);
const linksOf = () => auditLinksOf(w);
const problems = (end?: string) => auditProblemsOf(w, end);
const tamper = (statement: string) => tamperWithAudit(w, statement);

async function head(): Promise<string> {
  const link = await headOf(w.services.database.pool);
  return link ? headText(link) : "";
}

test("a link's hash covers the previous hash and the entry, so that anyone can compute it", async () => {
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

test("concurrent entries of two nodes are in one chain without a gap, even beside failing transactions", async () => {
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
      "the oldest entries removed without a record",
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
      "an entry outside the chain",
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

  test.each(damages)("%s", async (_, statement, patterns) => {
    expect(await problems()).toEqual([]);
    await tamper(statement);
    expect(await problems()).toEqual(patterns.map((each) => expect.stringMatching(each)));
  });

  test("an end that was cut off, by comparison with a head that was kept", async () => {
    const end = await head();
    await record(1);
    expect(await problems(end)).toEqual([]);
    await tamper("delete from audit where id > 8; delete from audit_chain where position > 8");
    expect(await problems()).toEqual([]);
    expect(await problems(end)).toEqual(["Link 10 is gone: the end of the log was removed"]);
    await record(5);
    expect(await problems(end)).toEqual(["Link 10 is not the one that it was: the log was written anew"]);
  });
});

test("docs/security.md names every action that the log records, and no other", async () => {
  const security = await readFile("docs/security.md", "utf8");
  const section = security.split("## Audit log\n")[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| About"));
  const names = rows.flatMap((row) => [...row.matchAll(/`([a-z-]+)`/g)].map(([, name = ""]) => name));
  expect(names.toSorted()).toEqual(Object.keys(auditActions).toSorted());
});
