import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shortlistLimits } from "#domain/shortlist.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { audit } from "../audit/tables.ts";
import { shortlistItem } from "./tables.ts";

let w: Wayfare;
let boss: Person;
let agent: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
  agent = await person(w, "agent", "approved");
});
afterAll(() => w.stop());

const item = {
  university: " University of Leeds ",
  course: "MSc Nursing",
  url: "https://leeds.ac.uk/nursing",
};
type Item = { id: string; university: string; course: string; url: string | null };
const itemsOf = async ({ caller }: Person, studentId?: string) => {
  const { body } = await caller.call("shortlist.list", { ...(studentId && { studentId }) });
  return (body as { items: Item[] }).items;
};
const add = (caller: Caller, changes: object = {}) => caller.call("shortlist.add", { ...item, ...changes });

test("a student adds, sees and removes an item", async () => {
  const student = await person(w, "student", "active");
  expect((await student.caller.call("shortlist.list")).body).toEqual({
    student: { id: student.id, name: "Ada Obi" },
    items: [],
  });
  const added = await add(student.caller);
  const { id } = added.body as Item;
  const entry = {
    id,
    university: "University of Leeds",
    course: "MSc Nursing",
    url: item.url,
    programme: null,
  };
  expect(added.body).toEqual(entry);
  expect(await itemsOf(student)).toEqual([entry]);
  expect((await student.caller.call("shortlist.remove", { id })).body).toEqual({ done: true });
  expect(await itemsOf(student)).toEqual([]);
  const entries = await w.services.database.db
    .select()
    .from(audit)
    .where(eq(audit.subjectId, student.id))
    .orderBy(audit.id);
  expect(entries.map(({ action }) => action).filter((action) => action.startsWith("shortlist"))).toEqual([
    "shortlist-added",
    "shortlist-removed",
  ]);
});

test("an agent and an admin add items for a student, who sees them newest first", async () => {
  const student = await person(w, "student", "active");
  const site = "https://leeds.ac.uk";
  for (const [course, { caller }] of [["LLM", agent] as const, ["MBA", boss] as const])
    expect((await add(caller, { studentId: student.id, course, url: site })).status).toBe(200);
  await add(student.caller);
  expect((await itemsOf(student)).map(({ course }) => course)).toEqual(["MSc Nursing", "MBA", "LLM"]);
  expect(await itemsOf(agent, student.id)).toEqual(await itemsOf(student));
});

test("a course that is already on the list is refused with a message, even in concurrent calls", async () => {
  const student = await person(w, "student", "active");
  const callers = [student.caller, agent.caller, boss.caller, student.caller];
  const answers = await Promise.all(callers.map((caller) => add(caller, { studentId: student.id })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "already-exists")).toHaveLength(3);
  const spelled = { university: "university of leeds", course: "MSc  nursing", url: "https://other.example" };
  expect(await add(student.caller, spelled)).toMatchObject({
    status: 409,
    message: "This course is already on the shortlist.",
  });
  expect(await itemsOf(student)).toHaveLength(1);
  // Another student's list is separate, and a removed item can be added again.
  const other = await person(w, "student", "active");
  const { id } = (await add(other.caller)).body as Item;
  await other.caller.call("shortlist.remove", { id });
  expect((await add(other.caller)).status).toBe(200);
});

describe("only http and https", () => {
  test.each([
    "javascript:alert(1)",
    " JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "//leeds.ac.uk",
    "https://user:password@leeds.ac.uk",
  ])("%j is refused", async (url) => {
    const student = await person(w, "student", "active");
    expect(await add(student.caller, { url })).toMatchObject({
      code: "form/incomplete",
      message: "Please enter a web address that begins with http:// or https://.",
    });
    expect(await itemsOf(student)).toEqual([]);
  });

  test("an invalid address that was stored by hand is not a link", async () => {
    const student = await person(w, "student", "active");
    await w.services.database.db.insert(shortlistItem).values(
      ["javascript:alert(1)", "data:text/html,x"].map((url, index) => ({
        id: `${student.id}-${index}`,
        studentId: student.id,
        university: "U",
        course: "C",
        url,
        addedBy: student.id,
      })),
    );
    expect((await itemsOf(student)).map(({ url }) => url)).toEqual([null, null]);
  });
});

test("missing and long texts are refused with a message", async () => {
  const { caller } = await person(w, "student", "active");
  expect(await add(caller, { university: " " })).toMatchObject({ message: "Please enter a university." });
  expect(await add(caller, { course: "" })).toMatchObject({ message: "Please enter a course." });
  expect(await add(caller, { url: "" })).toMatchObject({ message: "Please enter a URL." });
  expect((await add(caller, { course: "x".repeat(161) })).code).toBe("form/incomplete");
  expect((await add(caller, { url: `https://a.example/${"x".repeat(5000)}` })).code).toBe("invalid-argument");
});

test("a full shortlist accepts no more items, even concurrent ones", async () => {
  const student = await person(w, "student", "active");
  await w.services.database.db.insert(shortlistItem).values(
    Array.from({ length: shortlistLimits.items - 1 }, (_, index) => ({
      ...item,
      course: `MSc ${index}`,
      url: `https://leeds.ac.uk/${index}`,
      id: `${student.id}-${index}`,
      studentId: student.id,
      addedBy: student.id,
    })),
  );
  const callers = [student.caller, agent.caller, boss.caller, student.caller, agent.caller, boss.caller];
  const answers = await Promise.all(
    callers.map((caller, at) =>
      add(caller, { studentId: student.id, course: `LLM ${at}`, url: "https://leeds.ac.uk" }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "resource-exhausted")).toHaveLength(5);
  expect(await itemsOf(student)).toHaveLength(shortlistLimits.items);
});

test("one of two concurrent removals of an item succeeds; the other gets not-found", async () => {
  const student = await person(w, "student", "active");
  const { id } = (await add(student.caller)).body as Item;
  const answers = await Promise.all(
    [student, agent, boss].map(({ caller }) => caller.call("shortlist.remove", { id })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "not-found")).toHaveLength(2);
});

describe("access to a shortlist", () => {
  test("is open to approved agents and admins for any student, and to students for their own only", async () => {
    const student = await person(w, "student", "active");
    const { id } = (await add(student.caller)).body as Item;
    const strangers = [
      (await person(w, "student", "active")).caller,
      (await person(w, "agent", "pending")).caller,
      new Caller(w.app),
    ];
    for (const [index, caller] of strangers.entries()) {
      const refused = index === 2 ? "unauthenticated" : "not-found";
      expect((await caller.call("shortlist.list", { studentId: student.id })).code).toBe(refused);
      expect((await add(caller, { studentId: student.id })).code).toBe(refused);
      expect((await caller.call("shortlist.remove", { id })).code).toBe(refused);
    }
    expect(await itemsOf(student)).toHaveLength(1);
    for (const member of [agent, boss]) {
      expect(await itemsOf(member, student.id)).toHaveLength(1);
      // Only students have a shortlist: staff have none of their own, and nobody can add to an agent's.
      expect((await member.caller.call("shortlist.list")).code).toBe("not-found");
      expect((await add(member.caller, { studentId: agent.id })).code).toBe("not-found");
    }
    expect((await agent.caller.call("shortlist.remove", { id })).status).toBe(200);
  });
});
