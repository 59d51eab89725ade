import { afterAll, beforeAll, expect, test } from "vitest";
import { recordAudit } from "#server/features/audit/commands.ts";
import { createMetrics } from "#server/metrics.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { checkAudit } from "./check-audit.ts";

let w: Wayfare;
let boss: Person;
let other: Person;
beforeAll(async () => {
  w = await wayfare();
  [boss, other] = [await person(w, "admin", "active"), await person(w, "admin", "active")];
});
afterAll(() => w.stop());

const metric = async () =>
  /^wayfare_audit_chain_broken (\d)$/m.exec(await createMetrics(w.services).metrics())?.[1];
const notificationsOf = async ({ caller }: Person) => (await caller.call("notifications.list")).body;
const errors = () => w.log.filter(({ level }) => level === 50).map(({ msg, problem }) => ({ msg, problem }));

/** Changes the audit log with the rights of the database's owner. */
const tamper = (statement: string) =>
  w.asOwner(`alter table audit disable trigger user; ${statement}; alter table audit enable trigger user`);

test("a changed entry is reported to every admin once, in the log and in the metrics, and to nobody else", async () => {
  const agent = await person(w, "agent", "approved");
  await recordAudit(w.services.database.db, { action: "sign-in" });
  await checkAudit(w.services);
  expect(await metric()).toBe("0");
  expect(errors()).toEqual([]);
  expect(await notificationsOf(boss)).toMatchObject({ entries: [] });

  await tamper("update audit set address = '192.0.2.1' where id = 1");
  for (let night = 0; night < 2; night++) await checkAudit(w.services);
  const problem = "Link 1 does not fit its entry 1: one of them was changed";
  const logEntry = { msg: "the audit log is not what was written", problem };
  expect(errors()).toEqual([logEntry, logEntry]);
  expect(await metric()).toBe("1");
  for (const admin of [boss, other]) {
    expect(await notificationsOf(admin)).toMatchObject({
      entries: [{ kind: "auditBroken", about: { problem }, path: "/admin/audit" }],
    });
    const { link } = await w.mail(admin.email, /^The audit log was changed$/);
    expect(link).toBe(`${w.environment.baseUrl}/admin/audit`);
  }
  expect(await notificationsOf(agent)).toMatchObject({ entries: [] });

  await tamper("update audit set address = null where id = 1");
  // A problem is reported until a whole round of checks finds none.
  for (let night = 0; night < 2; night++) await checkAudit(w.services);
  expect(await metric()).toBe("0");

  await tamper("update audit set address = '192.0.2.1' where id = 2");
  await checkAudit(w.services);
  const next = "Link 2 does not fit its entry 2: one of them was changed";
  expect(await notificationsOf(boss)).toMatchObject({
    entries: [{ about: { problem: next } }, { about: { problem } }],
  });
});
