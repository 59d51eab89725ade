import { and, eq, getTableName, inArray, or, sql } from "drizzle-orm";
import { expect } from "vitest";
import { contactDays } from "#domain/deletion.ts";
import { settleDue } from "#server/features/auctions/settlement/closer.ts";
import { auctionBidder, auctionProduct } from "#server/features/auctions/tables.ts";
import { tablesOfPeople } from "#server/features/privacy/tables-of-people.ts";
import { submit } from "./applications.ts";
import { bid, endAt, product } from "./auctions.ts";
import { Caller, textIn } from "./caller.ts";
import { assignedStudent, upload } from "./documents.ts";
import { fullProfile, goodPassword, type Person, person, storedUser } from "./factories.ts";
import { createProduct, productForm, readyPicture } from "./pictures.ts";
import type { Wayfare } from "./wayfare.ts";

/** Returns the tables in which any row contains the text. */
export async function tablesWith(w: Wayfare, text: string): Promise<string[]> {
  const { db } = w.services.database;
  const { rows } = await db.execute<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'jobs')`,
  );
  const tables = await Promise.all(
    rows.map(async ({ name }) => {
      const from = sql.raw(name);
      const hit = await db.execute(sql`select from ${from} t where position(${text} in t::text) > 0 limit 1`);
      return hit.rowCount === 0 ? [] : [name];
    }),
  );
  return tables.flat().toSorted();
}

/** Tables whose rows stay, according to the list; steps and reviews refer to their authors by an id. */
const staying = new Set(
  [
    ...tablesOfPeople.flatMap(({ table, keptBecause }) =>
      keptBecause === undefined ? [] : [getTableName(table)],
    ),
    "application_step",
    "document",
  ].map((name) => `public.${name}`),
);

/** Creates a student with data in every place. */
export async function busyStudent(
  w: Wayfare,
): Promise<{ student: Person; agent: Person; item: string; own: string }> {
  const { student, agent } = await assignedStudent(w);
  const seller = await person(w, "student", "active");
  const { caller } = student;
  const calls: [string, object][] = [
    [
      "profile.save",
      { version: 0, profile: { ...fullProfile, passportNumber: "E77ERASEME", lastName: "Erasemann" } },
    ],
    ["shortlist.add", { university: "Lund", course: "Physics", url: "https://example.org/physics" }],
    [
      "studyRecord.saveQualification",
      {
        country: "NG",
        award: "secondary",
        name: "E77ERASEME",
        scale: "wassce",
        grade: "B2",
        year: 2022,
        subjects: [],
      },
    ],
    [
      "studyRecord.saveTest",
      { test: "ieltsAcademic", takenOn: "2026-03-14", overall: 6.5, components: { writing: 6 } },
    ],
    ["profile.changeEmail", { email: `new.${student.email}`, password: goodPassword }],
    ["notifications.setMailSwitch", { kind: "outbid", on: false }],
    ["contact.send", { name: "Erasemann", email: student.email, message: "E77ERASEME", website: "" }],
    ["account.requestPasswordReset", { email: ` ${student.email.toUpperCase()}` }],
  ];
  for (const [name, input] of calls) expect((await caller.call(name, input)).status, name).toBe(200);
  await new Caller(w.app).call("account.signIn", { email: student.email, password: "wrong" });
  expect((await submit(student)).status).toBe(200);
  expect((await upload(student)).status).toBe(200);
  const item = await product(w, seller);
  expect((await bid(caller, item, 5000)).status).toBe(200);
  const form = productForm({ handover: "17 Erasemann Street", images: [await readyPicture(student)] });
  const created = await createProduct(student, form);
  expect(created.status).toBe(200);
  await readyPicture(student);
  return { student, agent, item, own: textIn(created.body, "id") };
}

/** Ends the auctions that bind a person, long enough ago that nothing keeps their account any more. */
export async function endBindingAuctions(w: Wayfare, { id }: Pick<Person, "id">): Promise<void> {
  const { db } = w.services.database;
  const bids = db
    .select({ id: auctionBidder.productId })
    .from(auctionBidder)
    .where(eq(auctionBidder.bidderId, id));
  const theirs = or(eq(auctionProduct.sellerId, id), inArray(auctionProduct.id, bids));
  const open = await db
    .select({ id: auctionProduct.id })
    .from(auctionProduct)
    .where(and(eq(auctionProduct.state, "open"), theirs));
  for (const each of open) await endAt(w, each.id, new Date(Date.now() - 1));
  await settleDue(w.services);
  await db
    .update(auctionProduct)
    .set({ closedAt: sql`now() - make_interval(days => ${contactDays})` })
    .where(and(eq(auctionProduct.state, "sold"), theirs));
}

export async function expectErased(w: Wayfare, { id, email }: Person, ...texts: string[]): Promise<void> {
  expect(await storedUser(w, id)).toBeUndefined();
  for (const text of [email, ...texts]) expect([text, await tablesWith(w, text)]).toEqual([text, []]);
  expect((await tablesWith(w, id)).filter((name) => !staying.has(name))).toEqual([]);
}
