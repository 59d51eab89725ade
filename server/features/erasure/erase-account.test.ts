import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { removeOrphans } from "#server/features/documents/commands/remove-orphans.ts";
import { submit } from "#tests/applications.ts";
import { bid, product } from "#tests/auctions.ts";
import { filesOf, guidedStudent, upload } from "#tests/documents.ts";
import { fullProfile, type Person, person, storedUser } from "#tests/factories.ts";
import { type Wayfare, wayfare } from "#tests/wayfare.ts";
import { eraseAccount } from "./erase-account.ts";

let w: Wayfare;
let boss: Person;

beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const erase = (email: string) => eraseAccount({ ...w.address, user: inject("postgres").owner }, email);
const disable = (who: Person) =>
  boss.caller.call("students.setDisabled", { userId: who.id, disabled: true, releaseStudents: true });

/** The tables in which any row holds the text. */
async function tablesWith(text: string): Promise<string[]> {
  const { db } = w.services.database;
  const { rows } = await db.execute<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'jobs')`,
  );
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const from = sql.raw(name);
      const hit = await db.execute(sql`select from ${from} t where position(${text} in t::text) > 0 limit 1`);
      return hit.rowCount === 0 ? [] : [name];
    }),
  );
  return found.flat().toSorted();
}

/** A student of whom there is something in every place. */
async function busyStudent(): Promise<{ student: Person; item: string }> {
  const { student } = await guidedStudent(w);
  const seller = await person(w, "student", "active");
  const { caller } = student;
  const calls: [string, object][] = [
    ["profile.save", { version: 0, profile: { ...fullProfile, passportNumber: "E77ERASEME" } }],
    ["shortlist.add", { university: "Lund", course: "Physics", url: "https://example.org/physics" }],
  ];
  for (const [name, input] of calls) expect((await caller.call(name, input)).status, name).toBe(200);
  expect((await submit(student)).status).toBe(200);
  expect((await upload(student)).status).toBe(200);
  const item = await product(w, seller);
  expect((await bid(student.caller, item, 5000)).status).toBe(200);
  return { student, item };
}

test("a disabled student is gone from every table and the store; the audit log and bids keep an id", async () => {
  const { student, item } = await busyStudent();
  await disable(student);
  expect(await erase(` ${student.email.toUpperCase()} `)).toBe("erased");

  expect(await storedUser(w, student.id)).toBeUndefined();
  expect(await tablesWith("E77ERASEME")).toEqual([]);
  expect(await tablesWith(student.email)).toEqual([]);
  expect(await tablesWith(student.id)).toEqual([
    "public.auction_bid",
    "public.auction_bidder",
    "public.auction_bidding",
    "public.audit",
  ]);
  await removeOrphans(w.services, new Date(Date.now() + 48 * 3_600_000));
  expect(await filesOf(w, student.id)).toEqual([]);
  const page = await w.app.request(`/auctions/products/${item}`);
  expect(page.status).toBe(200);
});

describe("refused", () => {
  test("an account that still works, and an address that nobody has", async () => {
    const student = await person(w, "student", "active");
    expect(await erase(student.email)).toBe("notDisabled");
    expect(await erase("nobody@example.org")).toBe("notFound");
    expect(await storedUser(w, student.id)).toBeDefined();
  });

  test("afterwards, any other removal of an application's step", async () => {
    const student = await person(w, "student", "active");
    await submit(student);
    const other = await person(w, "student", "active");
    await disable(other);
    expect(await erase(other.email)).toBe("erased");
    await expect(w.asOwner("delete from application_step")).rejects.toThrow(/append-only/);
  });
});
