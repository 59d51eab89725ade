import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditLinksOf, auditProblemsOf, recordEntries, tamperWithAudit } from "#tests/support/audit-log.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { checkAuditLog, lastCheck, trimAuditLog } from "./nightly.ts";
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

describe("every night", () => {
  const detailsOf = async () =>
    (
      await w.services.database.pool.query<{ detail: Record<string, string> }>(
        "select detail from audit where action = 'audit-checked' order by id",
      )
    ).rows.map(({ detail }) => detail);

  test("the chain's end is written to the server's log, and the result to the audit log", async () => {
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

  test("an end that was cut off since the last night is noticed, recorded and logged", async () => {
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

  test("a long log is checked in parts, new entries every night, and a problem stays until a whole round finds none", async () => {
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

  test("are kept for ever unless the operator decides otherwise, and for a year at least", async () => {
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

  test("are removed entirely, except for an entry by which the chain continues", async () => {
    await aged(800, 790, 780, 10);
    const [, , third] = await linksOf();
    const end = `2:${(await linksOf())[1]?.hash}`;
    await retaining(700);
    const { rows } = await w.services.database.pool.query(
      "select detail from audit where action = 'audit-trimmed'",
    );
    expect(rows).toEqual([{ detail: { entries: "3", position: "3", hash: third?.hash } }]);
    expect((await linksOf())[0]).toEqual(third);
    expect(await problems()).toEqual([]);
    // A head from before the removal can't be compared any more, and is no problem.
    expect(await problems(end)).toEqual([]);
    await retaining(700);
    await record(2);
    await checkAuditLog(w.services);
    expect(await lastCheck(w.services.database.db)).toMatchObject({ problem: null });
  });

  test("after a missing one are kept as evidence", async () => {
    await aged(800, 790, 780, 770, 10);
    await tamper("delete from audit where id = 3");
    await retaining(700);
    expect(await agesOf()).toEqual([780 - 10, 10]);
    expect(await problems()).toEqual(["Link 3 has lost its entry 3"]);
  });
});
