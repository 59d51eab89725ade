import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "#tests/support/wayfare.ts";
import { type Database, openDatabase } from "./database.ts";
import {
  ascending,
  type Cursor,
  countUpTo,
  cursorForm,
  descending,
  firstFull,
  mergeNewest,
  paginate,
  readCursor,
  writeCursor,
} from "./keyset-list.ts";

const course = pgTable("course", {
  id: text().primaryKey(),
  level: text().notNull(),
  at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  price: bigint({ mode: "number" }).notNull(),
});
type Course = typeof course.$inferSelect;

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = openDatabase(fresh.owner, () => {});
  await database.db.execute(
    sql`create table course (id text primary key, level text, at timestamptz(3), price bigint)`,
  );
});
beforeEach(() => database.db.delete(course).execute());
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

/** Courses with few different values, so that many are alike in all but their ids. */
const courses = (most: number) =>
  fc.array(
    fc.record({
      id: fc.constant("").map(() => randomUUID()),
      level: fc.constantFrom("Bachelor", "Master's", "Ärztin"),
      at: fc.nat(3).map((day) => new Date(Date.UTC(2026, 0, 1 + day))),
      price: fc.nat(3),
    }),
    { maxLength: most },
  );

const { id, level, at, price } = course;
const orders = [
  { by: "id", order: ascending(id), form: cursorForm("uuid"), position: (last: Course) => [last.id] },
  {
    by: "at, id",
    order: ascending(at, id),
    form: cursorForm("time", "uuid"),
    position: (last: Course) => [last.at, last.id],
  },
  {
    by: "at desc, id desc",
    order: descending(at, id),
    form: cursorForm("time", "text"),
    position: (last: Course) => [last.at, last.id],
  },
  {
    by: "price desc, id desc",
    order: descending(price, id),
    form: cursorForm("number", "uuid"),
    position: (last: Course) => [String(last.price), last.id],
  },
  {
    by: "lower(level), price, id",
    order: ascending(sql`lower(${level})`, price, id),
    form: cursorForm("text", "number", "uuid"),
    position: (last: Course) => [last.level.toLowerCase(), String(last.price), last.id],
  },
];

type OrderCase = (typeof orders)[number];

async function insert(rows: readonly Course[]): Promise<void> {
  if (rows.length > 0) await database.db.insert(course).values([...rows]);
}

const wholeList = async (by: string): Promise<string[]> => {
  const { rows } = await database.pool.query<{ id: string }>(`select id from course order by ${by}`);
  return rows.map((row) => row.id);
};

/** Reads a page as lists do, with a cursor as a browser sends it back. */
async function pageOf({ order, form, position }: OrderCase, size: number, text: string | null) {
  const cursor = text === null ? null : readCursor(text, form);
  expect(cursor === null).toBe(text === null);
  const candidates = await database.db
    .select()
    .from(course)
    .where(order.after(cursor))
    .orderBy(...order.by)
    .limit(size + 1);
  return paginate(candidates, size, (last) => writeCursor(position(last)));
}

test.each(orders)("pages by $by neither repeat nor miss rows, while others are added", async (paged) => {
  const property = fc.asyncProperty(
    courses(30),
    fc.array(courses(4), { maxLength: 8 }),
    fc.integer({ min: 1, max: 7 }),
    async (first, additions, size) => {
      await database.db.delete(course);
      await insert(first);
      const before = await wholeList(paged.by);
      const ids: string[] = [];
      let next: string | null = null;
      do {
        const page = await pageOf(paged, size, next);
        ids.push(...page.rows.map((row) => row.id));
        expect(new Set(ids).size).toBe(ids.length);
        next = page.next;
        await insert(additions.pop() ?? []);
      } while (next !== null);
      expect(ids.filter((each) => before.includes(each))).toEqual(before);
      const after = await wholeList(paged.by);
      expect(ids).toEqual(after.filter((each) => ids.includes(each)));
    },
  );
  await fc.assert(property, { numRuns: 40 });
});

test("pages of several kinds neither repeat nor miss rows", async () => {
  const order = descending(at, id);
  const position = (row: Course) => [row.at, row.id] as const;
  const readKind = async (kind: string, cursor: Cursor | null, size: number): Promise<Course[]> =>
    await database.db
      .select()
      .from(course)
      .where(and(eq(level, kind), order.after(cursor)))
      .orderBy(...order.by)
      .limit(size + 1);
  const kinds = ["Bachelor", "Master's", "Ärztin"];
  const readPage = async (
    cursor: Cursor | null,
    size: number,
  ): Promise<{ rows: Course[]; next: Cursor | null }> =>
    paginate(await mergeNewest(kinds, (kind) => readKind(kind, cursor, size), position), size, position);
  const property = fc.asyncProperty(courses(30), fc.integer({ min: 1, max: 7 }), async (rows, size) => {
    await database.db.delete(course);
    await insert(rows);
    const ids: string[] = [];
    let cursor: Cursor | null = null;
    do {
      const page = await readPage(cursor, size);
      ids.push(...page.rows.map((row) => row.id));
      expect(new Set(ids).size).toBe(ids.length);
      cursor = page.next;
    } while (cursor !== null);
    expect(ids).toEqual(await wholeList("at desc, id desc"));
  });
  await fc.assert(property, { numRuns: 40 });
});

test.each([
  { pages: [[1, 2, 3], [4]], rows: [1, 2, 3], steps: 1 },
  {
    pages: [
      [1, 2],
      [1, 2, 3, 4],
    ],
    rows: [1, 2, 3, 4],
    steps: 2,
  },
  { pages: [[1, 2], []], rows: [1, 2], steps: 2 },
  { pages: [[1, 2]], rows: [1, 2], steps: 1 },
])("a search in steps of $pages runs $steps and returns $rows", async ({ pages, rows, steps }) => {
  let ran = 0;
  const search = pages.map((page) => async () => {
    ran++;
    return page;
  });
  expect(await firstFull(2, search)).toEqual(rows);
  expect(ran).toBe(steps);
});

test.each([
  [0, 3, 0],
  [3, 3, 3],
  [4, 3, 4],
  [9, 3, 4],
])("counts %s rows with a bound of %s as %s", async (number, most, count) => {
  const row = { level: "Master's", at: new Date(0), price: 1 };
  await insert([
    ...Array.from({ length: number }, () => ({ ...row, id: randomUUID() })),
    { ...row, id: randomUUID(), price: 2 },
  ]);
  expect(await countUpTo(database.db, most, course, eq(price, 1))).toEqual([{ count }]);
});

test("reads a cursor of an earlier version", () => {
  const text = "WyIyMDI2LTExLTIzVDEwOjAwOjAwLjEyM1oiLCJhYmMiXQ";
  expect(readCursor(text, cursorForm("time", "text"))).toEqual(["2026-11-23T10:00:00.123Z", "abc"]);
});

test.each([
  ["text that is no list", "nonsense"],
  ["too few values", writeCursor(["2026-11-23T10:00:00.123Z"])],
  ["too many values", writeCursor(["2026-11-23T10:00:00.123Z", "abc", "abc"])],
  ["a time before 1970", writeCursor(["1969-11-23T10:00:00.123Z", "abc"])],
  ["a NUL character", writeCursor(["2026-11-23T10:00:00.123Z", "\0"])],
  ["half of a surrogate pair", writeCursor(["2026-11-23T10:00:00.123Z", "\ud800"])],
])("refuses a cursor with %s", (_, text) => {
  expect(readCursor(text, cursorForm("time", "text"))).toBeNull();
});
