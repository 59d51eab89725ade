import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StudentRow } from "#contract/students.ts";
import type { ApplicationState } from "#domain/application.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { document } from "#server/features/documents/tables.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

type Page = { students: StudentRow[]; total: number | null; next: string | null };

const list = async (who: Person, input: object = {}): Promise<Page> => {
  const { status, body } = await who.caller.call("students.list", input);
  expect(status).toBe(200);
  return body as Page;
};
const namesOf = ({ students }: Page) => students.map(({ name }) => name);

const account = (id: string, name: string, changes: Partial<typeof user.$inferInsert> = {}) => ({
  id,
  name,
  email: `${id}@example.org`,
  role: "student" as const,
  status: "active" as const,
  ...changes,
});

describe("a few students", () => {
  let w: Wayfare;
  let boss: Person;
  let kofi: Person;
  beforeAll(async () => {
    w = await wayfare();
    boss = await person(w, "admin", "active");
    kofi = await person(w, "agent", "approved");
    await w.services.database.db.insert(user).values([
      account("s1", "Élodie Dupont", { country: "france", phone: "+33 1" }),
      account("s2", "Ben 100%_Sure", {
        country: "CH",
        assignedAgentId: kofi.id,
        assignedAt: new Date(),
      }),
      account("s3", "Back\\Slash", { country: "TD", status: "disabled" }),
      account("s4", "Zoe Smith", { country: "BE" }),
    ]);
    const file = { studentId: "s2", originalName: "scan.png", mediaType: "image/png", size: 1 } as const;
    await w.services.database.db.insert(document).values([
      { ...file, id: "d1", storageKey: "d1", kind: "cv" },
      { ...file, id: "d2", storageKey: "d2", kind: "passport", state: "rejected" },
      { ...file, id: "d3", storageKey: "d3", kind: "transcript", replacedAt: new Date() },
    ]);
  });
  afterAll(() => w.stop());

  test("a row contains exactly what agents may know about every student", async () => {
    const { students, next } = await list(kofi);
    expect(next).toBeNull();
    expect(students).toEqual([
      expect.objectContaining({ name: "Back\\Slash", disabled: true }),
      {
        id: "s2",
        name: "Ben 100%_Sure",
        email: "s2@example.org",
        phone: "",
        country: "CH",
        disabled: false,
        erasedOn: null,
        deposit: null,
        agent: { id: kofi.id, name: "Ada Obi" },
        // Email and country are two of twelve fields; one of six slots counts.
        progress: { profile: 17, documents: 17, overall: 17 },
        documents: { uploaded: 1, toReview: 1 },
        applications: [],
      },
      expect.objectContaining({ name: "Zoe Smith" }),
      expect.objectContaining({ name: "Élodie Dupont", phone: "+33 1", agent: null }),
    ]);
  });

  test("a search finds parts of name and address, regardless of order, accents and spaces", async () => {
    await w.services.database.db
      .insert(user)
      .values([
        account("s5", "Óscar Núñez", { status: "disabled" }),
        account("s6", "Zeynep Yılmaz", { status: "disabled" }),
        account("s7", "Kofi Boateng", { status: "disabled" }),
        account("s8", "Łukasz Wei Wu", { status: "disabled" }),
        account("s9", "Jürgen Weiß", { status: "disabled", email: "j.w@uni-köln.example" }),
      ]);
    for (const [search, names] of [
      ["osc", ["Óscar Núñez"]],
      ["ÓSC", ["Óscar Núñez"]],
      ["O\u0301scar nun\u0303ez", ["Óscar Núñez"]],
      ["yilmaz", ["Zeynep Yılmaz"]],
      ["YILMAZ", ["Zeynep Yılmaz"]],
      ["yılmaz zeynep", ["Zeynep Yılmaz"]],
      ["boateng kofi", ["Kofi Boateng"]],
      ["  kofi   boateng ", ["Kofi Boateng"]],
      ["kofi s7@example", ["Kofi Boateng"]],
      ["s7@EXAMPLE.org", ["Kofi Boateng"]],
      ["lukasz", ["Łukasz Wei Wu"]],
      // Short parts must begin a word.
      ["wu", ["Łukasz Wei Wu"]],
      ["bo", ["Kofi Boateng"]],
      ["ng", []],
      ["weiss", ["Jürgen Weiß"]],
      ["juergen", []],
      ["koln", ["Jürgen Weiß"]],
      ["kofi yilmaz", []],
    ] as const)
      expect(namesOf(await list(kofi, { search })), search).toEqual(names);
    await w.services.database.db.delete(user).where(inArray(user.id, ["s5", "s6", "s7", "s8", "s9"]));
  });

  test("a search finds a name however its apostrophes, hyphens and order are typed", async () => {
    await w.services.database.db.insert(user).values([
      account("p1", "Zoë O'Brien", { firstName: "Zoë", lastName: "O'Brien" }),
      account("p2", "Fintan O’Toole", { firstName: "Fintan", lastName: "O’Toole" }),
      account("p3", "Rosa Dʼangelo", { firstName: "Rosa", lastName: "Dʼangelo" }),
      account("p4", "Anil D`Souza", { firstName: "Anil", lastName: "D`Souza" }),
      account("p5", "小明 王", { firstName: "小明", lastName: "王" }),
      account("p6", "Jean-Paul Min‑su", { firstName: "Jean-Paul", lastName: "Min‑su" }),
      account("p7", "Mary Ann Lee", {
        firstName: "Mary Ann",
        lastName: "Lee",
        email: "mary-ann@example.org",
      }),
    ]);
    for (const [search, name] of [
      ["obrien", "Zoë O'Brien"],
      ["O’BRIEN zoe", "Zoë O'Brien"],
      ["o'b", "Zoë O'Brien"],
      ["otoole", "Fintan O’Toole"],
      ["o'toole", "Fintan O’Toole"],
      ["dangelo", "Rosa Dʼangelo"],
      ["D'Angelo", "Rosa Dʼangelo"],
      ["dsouza", "Anil D`Souza"],
      ["王小明", "小明 王"],
      ["小明", "小明 王"],
      ["王", "小明 王"],
      ["jean paul", "Jean-Paul Min‑su"],
      ["jean-paul", "Jean-Paul Min‑su"],
      ["jeanpaul", "Jean-Paul Min‑su"],
      ["min su", "Jean-Paul Min‑su"],
      ["minsu", "Jean-Paul Min‑su"],
      ["mary-ann", "Mary Ann Lee"],
      ["mary-ann@example.org", "Mary Ann Lee"],
    ] as const)
      expect(namesOf(await list(kofi, { search })), search).toEqual([name]);
    await w.services.database.db
      .delete(user)
      .where(inArray(user.id, ["p1", "p2", "p3", "p4", "p5", "p6", "p7"]));
  });

  test("a search finds any part of the name, regardless of letter case, and treats no character as a wildcard", async () => {
    for (const [search, names] of [
      ["élo", ["Élodie Dupont"]],
      [" SMITH ", ["Zoe Smith"]],
      ["0%_s", ["Ben 100%_Sure"]],
      ["%", ["Ben 100%_Sure"]],
      ["_", ["Ben 100%_Sure"]],
      ["\\", ["Back\\Slash"]],
      ["k\\s", ["Back\\Slash"]],
      ["e_o", []],
      ["s2@example", ["Ben 100%_Sure"]],
      [kofi.email, []],
    ] as const)
      expect(namesOf(await list(kofi, { search })), search).toEqual(names);
  });

  test("filters list the viewer's own students and unassigned ones", async () => {
    expect(namesOf(await list(kofi, { filter: "mine" }))).toEqual(["Ben 100%_Sure"]);
    expect(namesOf(await list(boss, { filter: "mine" }))).toEqual([]);
    expect(namesOf(await list(kofi, { filter: "unassigned" }))).toHaveLength(3);
    expect(namesOf(await list(kofi, { filter: "unassigned", search: "back" }))).toEqual(["Back\\Slash"]);
  });

  test("a filter lists and counts students with documents to review, or with an application in a state", async () => {
    const { db } = w.services.database;
    const applied = (id: string, studentId: string, state: ApplicationState) => ({
      id,
      studentId,
      state,
      program: id,
      highestStudyLevel: "Postgraduate" as const,
      countryCodes: ["CA" as const],
      startDate: "Spring Intake (January)" as const,
      additionalInfo: "",
    });
    await db
      .insert(application)
      .values([applied("a1", "s1", "visa"), applied("a2", "s1", "submitted"), applied("a3", "s2", "visa")]);
    const namesFor = async (input: object) => {
      const page = await list(boss, input);
      return { names: namesOf(page), total: page.total };
    };
    expect(await namesFor({ situation: "documentsToReview" })).toEqual({
      names: ["Ben 100%_Sure"],
      total: 1,
    });
    expect(await namesFor({ situation: "visa" })).toEqual({
      names: ["Ben 100%_Sure", "Élodie Dupont"],
      total: 2,
    });
    expect(await namesFor({ situation: "visa", filter: "unassigned" })).toEqual({
      names: ["Élodie Dupont"],
      total: 1,
    });
    expect(await namesFor({ situation: "forAgent" })).toEqual({ names: ["Élodie Dupont"], total: 1 });
    expect(await namesFor({ situation: "noApplication" })).toEqual({
      names: ["Back\\Slash", "Zoe Smith"],
      total: 2,
    });
    expect(await namesFor({ situation: "visa", search: "ben" })).toEqual({
      names: ["Ben 100%_Sure"],
      total: null,
    });
    expect(await namesFor({})).toMatchObject({ total: null });

    // A row begins with the application for which the student is listed.
    const first = async (input: object) => {
      const { students } = await list(boss, { search: "dupont", ...input });
      return students.flatMap(({ applications: [each] }) => each?.program ?? []);
    };
    expect(await first({ situation: "visa" })).toEqual(["a1"]);
    expect(await first({ situation: "submitted" })).toEqual(["a2"]);
    await db.update(application).set({ intakeYear: 2031 }).where(eq(application.id, "a1"));
    expect(await first({ year: "2031" })).toEqual(["a1"]);
    await db.update(application).set({ intakeYear: null }).where(eq(application.id, "a1"));
  });

  test("sorts by the name of the country and by email, in both directions", async () => {
    const countries = async (input: object) =>
      (await list(kofi, input)).students.map(({ country }) => country);
    expect(await countries({ sort: "country" })).toEqual(["BE", "TD", "france", "CH"]);
    expect(await countries({ sort: "country", direction: "descending" })).toEqual([
      "CH",
      "france",
      "TD",
      "BE",
    ]);
    const { students } = await list(kofi, { sort: "email", direction: "descending" });
    expect(students.map(({ id }) => id)).toEqual(["s4", "s3", "s2", "s1"]);
  });

  test("agents to assign are approved ones, found by name or agency", async () => {
    await person(w, "agent", "pending");
    await person(w, "agent", "revoked");
    const answer = await kofi.caller.call("students.agents", { search: "NORTH" });
    expect(answer.body).toEqual({ agents: [{ id: kofi.id, name: "Ada Obi", agency: "North Star" }] });
    expect((await kofi.caller.call("students.agents", { search: "_" })).body).toEqual({ agents: [] });
  });

  test("an invalid cursor is refused", async () => {
    for (const cursor of ["nonsense", "", Buffer.from('["a\\u0000","b"]').toString("base64url")])
      expect((await kofi.caller.call("students.list", { cursor })).code).toBe("invalid-argument");
  });
});
