import { and, eq } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { tidyPictures } from "#server/features/auctions/pictures/tidy-pictures.ts";
import { audit } from "#server/features/audit/tables.ts";
import { removeOrphans } from "#server/features/files/tidy-files.ts";
import { submit } from "#tests/support/applications.ts";
import { Caller } from "#tests/support/caller.ts";
import { filesOf } from "#tests/support/documents.ts";
import { busyStudent, endBindingAuctions, expectErased, tablesWith } from "#tests/support/erasure.ts";
import { goodPassword, type Person, person, storedUser } from "#tests/support/factories.ts";
import { pictureFilesIn } from "#tests/support/pictures.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { eraseDueAccounts } from "./erase-account.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const day = 24 * 3_600_000;
const askForDeletion = async (who: Person) =>
  expect((await who.caller.call("account.requestDeletion")).status).toBe(200);
const makeDue = (who: Person, dueAt = new Date(Date.now() - 1)) =>
  w.services.database.db.update(user).set({ deletionDueAt: dueAt }).where(eq(user.id, who.id));
const login = ({ email }: Pick<Person, "email">) =>
  new Caller(w.app).call("account.signIn", { email, password: goodPassword });

/** Waits until this number of the database's connections are blocked by a lock. */
const waitForBlocked = (client: pg.Client, number: number) =>
  until(async () => {
    const { rows } = await client.query<{ number: number }>(
      `select count(*)::int as number from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return rows[0]?.number === number;
  });

describe("a crash during the erasure", () => {
  test("rolls back all rows, which the next night erases; other accounts are not held up", async () => {
    const { student } = await busyStudent(w);
    const other = await person(w, "student", "active");
    for (const each of [student, other]) {
      await askForDeletion(each);
      await makeDue(each);
      await endBindingAuctions(w, each);
    }
    // The last statement fails for this account.
    await w.asOwner(`create function refuse() returns trigger language plpgsql as $$
      begin if old.id = '${student.id}' then raise 'a crash'; end if; return old; end $$;
      create trigger refuse before delete on "user" for each row execute function refuse();`);
    await eraseDueAccounts(w.services);
    expect(await storedUser(w, other.id)).toBeUndefined();
    expect(await tablesWith(w, "E77ERASEME")).toContain("public.profile");
    expect(await filesOf(w, student.id)).not.toEqual([]);
    expect(w.log.filter(({ msg }) => msg === "an account could not be erased")).toHaveLength(1);

    await w.asOwner(`drop trigger refuse on "user"; drop function refuse()`);
    await eraseDueAccounts(w.services);
    await expectErased(w, student, "E77ERASEME", "Erasemann");
    expect(await filesOf(w, student.id)).toEqual([]);
  });

  test("leaves files that were not deleted to the nightly job", async () => {
    const { student } = await busyStudent(w);
    await askForDeletion(student);
    await makeDue(student);
    await endBindingAuctions(w, student);
    const { disk } = w.services.storage;
    const crash = vi.spyOn(disk, "delete").mockRejectedValue(new Error("a crash"));
    await eraseDueAccounts(w.services);
    crash.mockRestore();
    await expectErased(w, student, "E77ERASEME");
    expect(await filesOf(w, student.id)).not.toEqual([]);
    const tomorrow = new Date(Date.now() + 2 * day);
    await removeOrphans(w.services, tomorrow);
    await tidyPictures(w.services, tomorrow);
    expect(await filesOf(w, student.id)).toEqual([]);
    expect(await pictureFilesIn(w)).toEqual([]);
  });
});

test.each(["login", "erasure"] as const)(
  "the first of a concurrent login and nightly erasure (%s) takes full effect",
  async (first) => {
    const student = await person(w, "student", "active");
    await submit(student);
    await askForDeletion(student);
    await makeDue(student);
    const holder = new pg.Client(w.address);
    await holder.connect();
    await holder.query("begin");
    await holder.query(`select from "user" where id = $1 for update`, [student.id]);
    const work = { login: () => login(student), erasure: () => eraseDueAccounts(w.services) };
    const second = first === "login" ? "erasure" : "login";
    const begun = { [first]: work[first]() };
    await waitForBlocked(holder, 1);
    begun[second] = work[second]();
    await waitForBlocked(holder, 2);
    await holder.query("commit");
    await holder.end();
    const answer = await begun["login"];
    await begun["erasure"];

    if (first === "login") {
      expect(answer).toMatchObject({ status: 200 });
      expect(await storedUser(w, student.id)).toMatchObject({ status: "active", deletionDueAt: null });
      expect(await tablesWith(w, student.id)).toContain("public.application_step");
    } else {
      expect(answer).toMatchObject({ code: "auth/invalid-credential" });
      await expectErased(w, student);
    }
  },
);

test("a deletion that is postponed while the nightly erasure runs is not carried out", async () => {
  const student = await person(w, "student", "active");
  await askForDeletion(student);
  await makeDue(student);
  const holder = new pg.Client(w.address);
  await holder.connect();
  await holder.query("begin");
  await holder.query(`update "user" set deletion_due_at = now() + interval '7 days' where id = $1`, [
    student.id,
  ]);
  const failures = () => w.log.filter(({ msg }) => msg === "an account could not be erased").length;
  const before = failures();
  const erasure = eraseDueAccounts(w.services);
  await waitForBlocked(holder, 1);
  await holder.query("commit");
  await holder.end();
  await erasure;
  expect(await storedUser(w, student.id)).toMatchObject({ status: "leaving" });
  // The check under the lock skipped it; the database's own refusal would have been logged.
  expect(failures()).toBe(before);
});

test("three concurrent logins cancel a deletion once", async () => {
  const student = await person(w, "student", "active");
  await askForDeletion(student);
  const answers = await Promise.all([login(student), login(student), login(student)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const entries = await w.services.database.db
    .select()
    .from(audit)
    .where(and(eq(audit.subjectId, student.id), eq(audit.action, "deletion-cancelled")));
  expect(entries).toHaveLength(1);
});
