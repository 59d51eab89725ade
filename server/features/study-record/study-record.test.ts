import { and, asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordLimits } from "#domain/study-record.ts";
import { assign, assignedStudent, giveReason } from "#tests/support/documents.ts";
import { fullProfile, type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { audit } from "../audit/tables.ts";
import { notification } from "../notifications/tables.ts";
import { recordOf } from "./read-record.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const aLevels = {
  country: "GB",
  award: "secondary",
  name: "A-levels",
  scale: "aLevel",
  grade: "B",
  year: 2025,
  subjects: [{ subject: "Mathematics", grade: "A" }],
} as const;
const ielts = {
  test: "ieltsAcademic",
  takenOn: "2026-03-14",
  overall: 6.5,
  components: { listening: 7, reading: 6.5, writing: 6, speaking: 6.5 },
} as const;
const byAgent = { name: "Ada Obi", agency: "North Star" };

const read = ({ caller }: Person, studentId?: string) => caller.call("studyRecord.read", { studentId });
const saveQualification = ({ caller }: Person, changes: object = {}) =>
  caller.call("studyRecord.saveQualification", { ...aLevels, ...changes });
const saveTest = ({ caller }: Person, changes: object = {}) =>
  caller.call("studyRecord.saveTest", { ...ielts, ...changes });
const saveWork = ({ caller }: Person, workMonths: number | null, studentId?: string) =>
  caller.call("studyRecord.saveWork", { workMonths, studentId });
const readOwn = ({ caller }: Person) => caller.api.studyRecord.read({});
const notificationsOf = ({ id }: Person) =>
  w.services.database.db
    .select({ about: notification.about, path: notification.path })
    .from(notification)
    .where(and(eq(notification.userId, id), eq(notification.kind, "enteredForYou")))
    .orderBy(asc(notification.id));

test("a student enters a record, and reads it as it was entered, without authors", async () => {
  const student = await person(w, "student", "active");
  expect(await readOwn(student)).toEqual({ workMonths: null, qualifications: [], tests: [] });
  const { id } = await student.caller.api.studyRecord.saveQualification({
    ...aLevels,
    name: " A-levels ",
    subjects: [...aLevels.subjects],
  });
  await saveQualification(student, { award: "diploma", name: "Art", grade: "", year: 2026, subjects: [] });
  await saveTest(student);
  await saveTest(student, { takenOn: "2024-02-29", components: {} });
  expect((await saveWork(student, 18)).status).toBe(200);
  const record = await readOwn(student);
  expect(record).toMatchObject({
    workMonths: 18,
    qualifications: [
      { name: "Art", grade: "", enteredBy: null },
      { ...aLevels, id, enteredBy: null },
    ],
    tests: [
      { ...ielts, expires: "2028-03-14", enteredBy: null },
      { takenOn: "2024-02-29", components: {} },
    ],
  });
  expect(await notificationsOf(student)).toEqual([]);
  await student.caller.api.profile.save({ version: 0, profile: fullProfile });
  expect(await recordOf(w.services.database.db, student.id)).toMatchObject({
    dateOfBirth: "2004-02-29",
    workMonths: 18,
    qualifications: expect.arrayContaining([aLevels]),
    tests: expect.arrayContaining([ielts]),
  });
});

test("a record never counts as progress", async () => {
  const student = await person(w, "student", "active");
  const before = (await student.caller.api.students.dashboard({})).progress;
  await saveQualification(student);
  await saveTest(student);
  expect((await student.caller.api.students.dashboard({})).progress).toEqual(before);
});

test("an entry is changed and removed by its id, and a second removal does not find it", async () => {
  const student = await person(w, "student", "active");
  await saveQualification(student);
  await saveTest(student);
  const { qualifications, tests } = await readOwn(student);
  const [{ id = "" } = {}, { id: testId = "" } = {}] = [qualifications[0], tests[0]];
  expect((await saveQualification(student, { id, grade: "A*" })).body).toEqual({ id });
  expect((await saveTest(student, { id: testId, overall: 7 })).body).toEqual({ id: testId });
  expect(await readOwn(student)).toMatchObject({
    qualifications: [{ grade: "A*" }],
    tests: [{ overall: 7 }],
  });
  for (const each of [id, testId]) {
    expect((await student.caller.call("studyRecord.remove", { id: each })).status).toBe(200);
    expect((await student.caller.call("studyRecord.remove", { id: each })).code).toBe("not-found");
  }
  expect(await readOwn(student)).toEqual({ workMonths: null, qualifications: [], tests: [] });
});

test("another student's entry can neither be changed nor removed", async () => {
  const [student, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
  await saveQualification(student);
  await saveTest(student);
  const before = await readOwn(student);
  const [{ id = "" } = {}, { id: testId = "" } = {}] = [before.qualifications[0], before.tests[0]];
  expect((await saveQualification(other, { id, grade: "E" })).code).toBe("not-found");
  expect((await saveTest(other, { id: testId, overall: 9 })).code).toBe("not-found");
  for (const each of [id, testId])
    expect((await other.caller.call("studyRecord.remove", { id: each })).code).toBe("not-found");
  expect(await readOwn(student)).toEqual(before);
});

test("an entry that the domain refuses is refused with its field", async () => {
  const student = await person(w, "student", "active");
  const refused = async (answer: Promise<{ code: string | null; body: unknown }>, field: string) => {
    const { code, body } = await answer;
    expect([code, body]).toEqual(["form/incomplete", expect.objectContaining({ data: { field } })]);
  };
  await refused(saveQualification(student, { grade: "6.5" }), "grade");
  await refused(saveQualification(student, { subjects: [{ subject: "Art", grade: "9" }] }), "subjects");
  await refused(saveTest(student, { overall: 6.3 }), "overall");
  await refused(saveTest(student, { test: "duolingo", overall: 110 }), "components");
  await refused(saveTest(student, { takenOn: "2999-01-01" }), "takenOn");
  await refused(saveWork(student, -1), "workMonths");
  expect(await readOwn(student)).toEqual({ workMonths: null, qualifications: [], tests: [] });
});

test("concurrent saves can't exceed the limit of entries", async () => {
  const student = await person(w, "student", "active");
  for (const [save, limit] of [
    [saveQualification, recordLimits.qualifications],
    [saveTest, recordLimits.tests],
  ] as const) {
    for (let number = 0; number < limit - 2; number++) expect((await save(student)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 6 }, () => save(student)));
    expect(answers.map(({ code }) => code ?? "").toSorted()).toEqual([
      "",
      "",
      ...Array<string>(4).fill("resource-exhausted"),
    ]);
  }
  const { qualifications, tests } = await readOwn(student);
  expect([qualifications.length, tests.length]).toEqual([recordLimits.qualifications, recordLimits.tests]);
});

test("the agent's entries are marked until the student changes them, notified once, and audited", async () => {
  const { student, agent } = await assignedStudent(w);
  await saveTest(student);
  const studentId = student.id;
  expect((await saveQualification(agent, { studentId })).status).toBe(200);
  expect((await saveWork(agent, 6, studentId)).status).toBe(200);
  // An unchanged save adds no entry.
  const { tests, qualifications } = await readOwn(student);
  expect((await saveTest(agent, { studentId, id: tests[0]?.id })).status).toBe(200);
  expect(await readOwn(student)).toMatchObject({
    workMonths: 6,
    qualifications: [{ enteredBy: byAgent }],
    tests: [{ enteredBy: null }],
  });
  expect(await notificationsOf(student)).toEqual([
    {
      about: { agent: "Ada Obi", what: "record of qualifications and tests" },
      path: "/student-profile",
    },
  ]);
  await saveQualification(student, { id: qualifications[0]?.id, grade: "A" });
  expect((await readOwn(student)).qualifications).toMatchObject([{ grade: "A", enteredBy: null }]);
  const log = await w.services.database.db
    .select({ action: audit.action, detail: audit.detail })
    .from(audit)
    .where(and(eq(audit.subjectId, studentId), eq(audit.actorId, agent.id)))
    .orderBy(asc(audit.id));
  expect(log).toEqual([
    { action: "record-saved", detail: { part: "qualification", change: "added", right: "agent" } },
    { action: "record-saved", detail: { part: "work", change: "changed", right: "agent" } },
  ]);
});

test("only the assigned agent can change a record, and only while papers are shared", async () => {
  const { student, agent } = await assignedStudent(w);
  const studentId = student.id;
  const [stranger, admin] = [await person(w, "agent", "approved"), await person(w, "admin", "active")];
  const other = await person(w, "student", "active");
  const refused = async (who: Person) => {
    expect((await saveQualification(who, { studentId })).code).toBe("not-found");
    expect((await saveTest(who, { studentId })).code).toBe("not-found");
    expect((await saveWork(who, 3, studentId)).code).toBe("not-found");
  };
  for (const who of [stranger, admin, other]) await refused(who);
  await student.caller.api.students.setSharing({ shares: false });
  await refused(agent);
  await student.caller.api.students.setSharing({ shares: true });
  await assign(w, studentId, stranger.id);
  await refused(agent);
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, studentId));
  await refused(stranger);
  // Staff have no record of their own.
  for (const who of [agent, admin]) {
    expect((await saveTest(who)).code).toBe("not-found");
    expect((await read(who)).code).toBe("not-found");
  }
  expect(await recordOf(w.services.database.db, studentId)).toMatchObject({ qualifications: [], tests: [] });
});

test("each view by staff is in the student's list of views; strangers see nothing", async () => {
  const { student, agent } = await assignedStudent(w);
  const [stranger, admin] = [await person(w, "agent", "approved"), await person(w, "admin", "active")];
  await saveTest(student);
  expect((await read(stranger, student.id)).code).toBe("not-found");
  expect((await read(await person(w, "student", "active"), student.id)).code).toBe("not-found");
  expect((await read(agent, student.id)).body).toMatchObject({ tests: [{ overall: 6.5 }] });
  expect((await read(admin, student.id)).code).toBe("look/reason-required");
  await giveReason(admin, student.id);
  expect((await read(admin, student.id)).status).toBe(200);
  expect((await readOwn(student)).tests).toHaveLength(1);
  const { looks } = await student.caller.api.looks.mine({});
  expect(looks).toMatchObject([
    { viewer: { right: "admin" }, seen: [{ thing: "studyRecord" }], reasons: ["A question about the visa"] },
    { viewer: { right: "agent" }, seen: [{ thing: "studyRecord" }] },
  ]);
  await student.caller.api.students.setSharing({ shares: false });
  expect((await read(agent, student.id)).code).toBe("not-found");
});

test("an agent who reads the record again after each save has one view in half an hour", async () => {
  const { student, agent } = await assignedStudent(w);
  const studentId = student.id;
  const countViews = async () =>
    (
      await w.services.database.db
        .select({ id: audit.id })
        .from(audit)
        .where(and(eq(audit.actorId, agent.id), eq(audit.action, "identity-viewed")))
    ).length;
  for (const months of [3, 6, 9]) {
    expect((await saveWork(agent, months, studentId)).status).toBe(200);
    expect((await read(agent, studentId)).body).toMatchObject({ workMonths: months });
  }
  await agent.caller.api.programmes.forStudent({ studentId });
  expect(await countViews()).toBe(1);
  await student.caller.api.students.setSharing({ shares: false });
  expect((await read(agent, studentId)).code).toBe("not-found");
});

test("an entry outlives the agent's account, without a name", async () => {
  const { student, agent } = await assignedStudent(w);
  await saveTest(agent, { studentId: student.id });
  await assign(w, student.id, null);
  await w.services.database.db.delete(user).where(eq(user.id, agent.id));
  expect((await readOwn(student)).tests).toMatchObject([{ enteredBy: { name: null, agency: "" } }]);
});
