import { and, desc, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { studentView } from "#contract/student-rows.ts";
import { readCsv } from "#protocol/read-csv.ts";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { openExport, prepareExport, studentsCsv } from "#server/features/students/export-students.ts";
import { Refusal } from "#server/refusal.ts";
import { fullProfile, type Person, person, storedUser } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
let kofi: Person;
let yaw: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
  kofi = await person(w, "agent", "approved");
  yaw = await person(w, "agent", "approved");
});
afterAll(() => w.stop());

const columns = ["email", "phone", "country", "applications", "documents", "progress"] as const;
const options = { view: {}, columns: [...columns], identity: false, purpose: "" };

async function exportFile(who: Person, changes: object = {}) {
  const { url } = await who.caller.api.students.exportLink({ ...options, ...changes });
  const response = await who.caller.request(url, {});
  expect(response.status).toBe(200);
  return await response.text();
}

/** Reads a file into rows by heading. */
function rowsIn(file: string): Record<string, string>[] {
  const table = readCsv(file);
  if (table.kind === "problem") throw new Error(table.message);
  return table.rows.map(({ cells }) =>
    Object.fromEntries(table.headings.map((heading, index) => [heading, cells[index] ?? ""])),
  );
}

type Upload = { columns?: Record<string, string>; headers?: Record<string, string> };
async function importFile(
  who: Person,
  file: string | Uint8Array<ArrayBuffer>,
  { columns: headings, headers }: Upload = {},
) {
  const query = new URLSearchParams(headings ?? { id: "Id", email: "Email", agent: "Agent email" });
  const response = await who.caller.request(`/files/student-imports?${query.toString()}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", "x-csrf-token": "orpc", ...headers },
    body: file,
  });
  return {
    status: response.status,
    body: (await response.json()) as { id: string; code?: string; message?: string },
  };
}

const hostileNames = [
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "＝1",
  "＋1",
  "－1",
  "＠1",
  "'=1",
  "''=1",
  "'",
  "''",

  '"',
  '""',
  '","',
  "a,b",
  "a;b",
  "a\tb",
  "x;=cmd|' /C calc'!A0",
  "x\t=1",
  '"a"',
  "'a'",
  '=HYPERLINK("http://x","y")',
  "=cmd|' /C calc'!A0",
  "Zoë",
  "李小龙",
  "عمر",
  "👩🏽‍🎓",
  "e\u0301",
  "\u202Eevil",
  "a\u00a0b",
  "a\u2028b",
  "\uFEFFa",
  "  a  b",
  "NULL",
  "true",
  "1e5",
  "0012",
  "2026-01-01",
  "</td><script>",
  "\\",
  "\\n",
  "%00",
  "a".repeat(100),
];

describe("an exported file", () => {
  test("changes nothing when it is imported again, with 44 hostile names", async () => {
    expect(hostileNames).toHaveLength(44);
    const students = hostileNames.map((name, at) => ({
      id: `hostile-${at}`,
      name,
      email: `hostile-${at}@example.org`,
      phone: at % 2 ? `+234 803 ${at}` : "",
      role: "student" as const,
      status: "active" as const,
      assignedAgentId: at % 3 === 0 ? kofi.id : null,
    }));
    const { db } = w.services.database;
    await db.insert(user).values(students);
    const ids = students.map(({ id }) => id);
    const file = await exportFile(boss, { studentIds: ids });
    // No cell can begin a formula.
    expect(file).not.toMatch(/(^|[,;\t\n\uFEFF])"?[=+\-@\t\r＝＋－＠]/);
    const names = new Map(rowsIn(file).map((row) => [row["Id"], row["Name"]]));
    expect(students.map(({ id }) => names.get(id))).toEqual(hostileNames);
    const readStudents = () => db.select().from(user).where(inArray(user.id, ids)).orderBy(user.id);
    const before = await readStudents();
    const { status, body } = await importFile(boss, file);
    expect(status).toBe(200);
    const run = await boss.caller.api.bulkRuns.get({ id: body.id });
    expect(run).toMatchObject({ waiting: 0, reasons: [{ reason: "unchanged", rows: 44 }] });
    await boss.caller.api.bulkRuns.start({ id: body.id });
    await until(async () => (await boss.caller.api.bulkRuns.get({ id: body.id })).finishedAt !== null);
    expect(await readStudents()).toEqual(before);
  });
});

describe("an imported file", () => {
  test("assigns agents to students without one, explains the rows that it skips, and changes nothing the second time", async () => {
    const [free, filled, silent] = await Promise.all([1, 2, 3].map(() => person(w, "student", "active")));
    if (!free || !filled || !silent) throw new Error("three were made");
    const { db } = w.services.database;
    await db
      .update(user)
      .set({ assignedAgentId: kofi.id })
      .where(inArray(user.id, [filled.id, silent.id]));
    const file = [
      "Student;Counsellor",
      `${free.email.toUpperCase()};${yaw.email}`,
      `${filled.email};${yaw.email}`,
      `${silent.email};`,
      `${free.email};${kofi.email}`,
      `nobody@example.org;${yaw.email}`,
      `${boss.email};${yaw.email}`,
    ].join("\n");
    const headings = { email: "Student", agent: "Counsellor" };
    const { body } = await importFile(boss, file, { columns: headings });
    const { api } = boss.caller;
    const { items } = await api.bulkRuns.items({ id: body.id });
    expect(items.map(({ position, reason }) => [position, reason])).toEqual([
      [2, null],
      [3, "filled"],
      [4, "unchanged"],
      [5, "repeated"],
      [6, "unknownStudent"],
      [7, "unknownStudent"],
    ]);
    expect((await storedUser(w, free.id))?.assignedAgentId).toBeNull();
    await api.bulkRuns.start({ id: body.id });
    await until(async () => (await api.bulkRuns.get({ id: body.id })).finishedAt !== null);
    const agents = async () =>
      Promise.all([free, filled, silent].map(async ({ id }) => (await storedUser(w, id))?.assignedAgentId));
    expect(await agents()).toEqual([yaw.id, kofi.id, kofi.id]);
    const again = await importFile(boss, file, { columns: headings });
    expect((await api.bulkRuns.get({ id: again.body.id })).waiting).toBe(0);
    const ticked = await importFile(boss, file, { columns: { ...headings, overwrite: "yes" } });
    expect((await api.bulkRuns.get({ id: ticked.body.id })).waiting).toBe(1);
  });

  test("is refused with a message if it can't be read, and for users without permission", async () => {
    const notUtf8 = new Uint8Array([0x49, 0x64, 0x0a, 0xe9]);
    expect(await importFile(boss, notUtf8)).toMatchObject({ status: 422, body: { code: "form/incomplete" } });
    expect((await importFile(boss, 'Id,Agent email\n"a')).body.message).toMatch(/^Row 2: A quotation mark/);
    expect((await importFile(boss, "Name\nAda")).body.message).toMatch(/^Choose the column/);
    const large = "x".repeat(2 * 1024 * 1024 + 1);
    expect((await importFile(boss, large)).body.message).toBe("The file is larger than 2 MB.");
    const student = await person(w, "student", "active");
    expect((await importFile(student, "Id,Agent email\na,b")).status).toBe(403);
    const foreign = await importFile(boss, "Id,Agent email\na,b", { headers: { "x-csrf-token": "" } });
    expect(foreign.status).toBe(403);
  });
});

describe("identity details in an export", () => {
  test("are for admins who state a purpose, and logged for each student", async () => {
    const student = await person(w, "student", "active");
    const { db } = w.services.database;
    const saved = { ...fullProfile, passportNumber: "E77SECRET" };
    expect((await student.caller.call("profile.save", { version: 0, profile: saved })).status).toBe(200);
    const studentIds = [student.id];
    expect(await exportFile(kofi, { studentIds })).not.toContain("E77SECRET");
    const identity = { ...options, identity: true, studentIds };
    const asAgent = await kofi.caller.call("students.exportLink", { ...identity, purpose: "Visa" });
    expect(asAgent.code).toBe("permission-denied");
    expect(await boss.caller.call("students.exportLink", identity)).toMatchObject({
      code: "form/incomplete",
    });
    const file = await exportFile(boss, { ...identity, purpose: "Visa batch" });
    expect(rowsIn(file)[0]).toMatchObject({ Id: student.id, "Passport number": "E77SECRET" });
    const looks = await db.select().from(audit).where(eq(audit.subjectId, student.id));
    expect(looks.filter(({ action }) => action === "identity-viewed")).toMatchObject([
      { actorId: boss.id, detail: { reason: "Visa batch", as: "export" } },
    ]);
  });
});

describe("an export of many", () => {
  const prefix = "Paged";
  const view = { direction: "descending" as const, search: prefix };
  beforeAll(async () => {
    await w.services.database.db.insert(user).values(
      Array.from({ length: 1203 }, (_, at) => ({
        id: `paged-${at}`,
        name: `${prefix} ${String(at).padStart(4, "0")}`,
        email: `paged-${at}@example.org`,
        role: "student" as const,
        status: "active" as const,
      })),
    );
  });

  test("has all pages in the order of the view, and is logged with filters and number of rows", async () => {
    const unassigned = { ...view, filter: "unassigned" as const };
    const names = rowsIn(await exportFile(kofi, { view: unassigned, columns: [] })).map((row) => row["Name"]);
    expect(names).toHaveLength(1203);
    expect(names).toEqual(names.toSorted((one = "", other = "") => (one < other ? 1 : -1)));
    const { db } = w.services.database;
    const isExport = and(eq(audit.actorId, kofi.id), eq(audit.action, "students-exported"));
    const entries = await db.select().from(audit).where(isExport).orderBy(desc(audit.id)).limit(1);
    expect(entries).toMatchObject([
      { detail: { columns: "", filters: "filter unassigned, search", rows: "1203" } },
    ]);
  });

  test("sends an agent who is revoked meanwhile no further rows", async () => {
    const esi = await person(w, "agent", "approved");
    const actor = { userId: esi.id, address: "127.0.0.1" };
    const whole = { view: studentView.parse(view), columns: [], identity: false, purpose: "" };
    const row = await openExport(w.services, actor, await prepareExport(w.services, actor, whole));
    if (row === null) throw new Error("the export was prepared");
    const csv = studentsCsv(w.services, actor, row);
    await csv.next();
    expect((await csv.next()).value).toContain(`${prefix} 1202`);
    await w.services.database.db.update(user).set({ status: "revoked" }).where(eq(user.id, esi.id));
    await expect(csv.next()).rejects.toThrow(Refusal);
  });
});
