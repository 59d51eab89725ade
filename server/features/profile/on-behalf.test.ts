import { and, asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmList, submittedApplication } from "#tests/support/applications.ts";
import { assign, assignedStudent, documentsOf, upload, uploadHeaders } from "#tests/support/documents.ts";
import { fullProfile, type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { ownData } from "#tests/support/own-data.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { audit } from "../audit/tables.ts";
import { notification } from "../notifications/tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const byAgent = { name: "Ada Obi", agency: "North Star" };
const open = ({ caller }: Person, studentId: string) => caller.call("profile.ofStudent", { studentId });
const fill = ({ caller }: Person, studentId: string, version: number, changes: object = {}) =>
  caller.call("profile.saveForStudent", {
    studentId,
    version,
    profile: { ...fullProfile, ...changes },
  });
const saveOwn = ({ caller }: Person, version: number, changes: object = {}) =>
  caller.call("profile.save", { version, profile: { ...fullProfile, ...changes } });
async function uploadFor({ caller }: Person, studentId: string, kind = "passport") {
  const response = await caller.request(`/files/students/${studentId}/documents/${kind}`, {
    method: "POST",
    headers: uploadHeaders("passport.pdf"),
    body: new Uint8Array(pdf()),
  });
  return { status: response.status, body: await response.json() };
}
const entriesOf = async ({ caller }: Person) => (await caller.api.profile.mine()).entries;
const notificationsOf = async ({ id }: Person) =>
  (
    await w.services.database.db
      .select({ about: notification.about, path: notification.path })
      .from(notification)
      .where(and(eq(notification.userId, id), eq(notification.kind, "enteredForYou")))
      .orderBy(asc(notification.id))
  ).map(({ about, path }) => [about["document"] ?? "profile", path]);

test("the agent fills in the profile, and the student sees who entered what and is notified", async () => {
  const { student, agent } = await assignedStudent(w);
  expect((await saveOwn(student, 0, { passportNumber: "", city: "" })).status).toBe(200);
  expect((await open(agent, student.id)).body).toMatchObject({
    version: 1,
    profile: { firstName: "Ada", passportNumber: "", email: student.email },
    entries: [],
  });
  expect((await fill(agent, student.id, 1)).status).toBe(200);
  const mine = await student.caller.api.profile.mine();
  expect(mine).toMatchObject({ version: 2, profile: { passportNumber: "A12345678", city: "Surulere" } });
  expect(mine.entries).toEqual([{ by: byAgent, at: expect.any(Date), fields: ["passportNumber", "city"] }]);
  expect((await student.caller.api.students.dashboard({})).entries).toEqual(mine.entries);
  expect(await notificationsOf(student)).toEqual([["profile", "/student-profile"]]);
  const log = await w.services.database.db
    .select({ action: audit.action, detail: audit.detail })
    .from(audit)
    .where(and(eq(audit.subjectId, student.id), eq(audit.actorId, agent.id)))
    .orderBy(asc(audit.id));
  expect(log).toEqual([
    { action: "identity-viewed", detail: { right: "agent" } },
    { action: "profile-saved", detail: { fields: "passportNumber city", right: "agent" } },
  ]);
});

test("a field that the student or an admin changes is no longer the agent's entry", async () => {
  const { student, agent } = await assignedStudent(w);
  await fill(agent, student.id, 0, { middleName: "" });
  await saveOwn(student, 1, { middleName: "", city: "Accra" });
  const [entry, ...others] = await entriesOf(student);
  expect(others).toEqual([]);
  expect(entry?.fields).not.toContain("city");
  expect(entry?.fields).toContain("phoneNumber");
  const admin = await person(w, "admin", "active");
  const { version } = await student.caller.api.profile.mine();
  await admin.caller.api.accounts.editDetails({
    userId: student.id,
    version,
    firstName: "Ada",
    lastName: "Obi",
    phoneNumber: "080 99999",
  });
  expect((await entriesOf(student))[0]?.fields).not.toContain("phoneNumber");
  // An unchanged save adds no entry and no version.
  const current = await student.caller.api.profile.mine();
  const { email: _email, ...unchanged } = current.profile;
  expect((await fill(agent, student.id, current.version, unchanged)).status).toBe(200);
  expect((await student.caller.api.profile.mine()).version).toBe(current.version);
});

test("one of two concurrent saves by a student and an agent is a conflict", async () => {
  const { student, agent } = await assignedStudent(w);
  const answers = await Promise.all([
    saveOwn(student, 0, { city: "Accra" }),
    fill(agent, student.id, 0, { city: "Lagos" }),
  ]);
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(["failed-precondition", null]));
  expect((await student.caller.api.profile.mine()).version).toBe(1);
});

test("only the assigned agent can act on the student's behalf, and only while papers are shared", async () => {
  const { student, agent } = await assignedStudent(w);
  const [stranger, admin] = [await person(w, "agent", "approved"), await person(w, "admin", "active")];
  const refused = async (who: Person, code: string) => {
    expect((await open(who, student.id)).code).toBe(code);
    expect((await fill(who, student.id, 0)).code).toBe(code);
    expect((await uploadFor(who, student.id)).body).toMatchObject({ code: code });
  };
  await refused(stranger, "not-found");
  await refused(admin, "permission-denied");
  await refused(student, "permission-denied");
  await student.caller.api.students.setSharing({ shares: false });
  await refused(agent, "not-found");
  await student.caller.api.students.setSharing({ shares: true });
  expect((await open(agent, student.id)).status).toBe(200);
  await assign(w, student.id, stranger.id);
  await refused(agent, "not-found");
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, student.id));
  expect((await fill(stranger, student.id, 0)).code).toBe("not-found");
  expect(await documentsOf(w, student.id)).toEqual([]);
  expect(await notificationsOf(student)).toEqual([]);
});

test("a document from the agent names the agent until the student replaces it", async () => {
  const { student, agent } = await assignedStudent(w);
  expect((await uploadFor(agent, student.id)).status).toBe(200);
  const slotOf = async ({ caller }: Person) =>
    (await caller.api.documents.ofStudent({ studentId: student.id })).slots.find(
      ({ kind }) => kind === "passport",
    );
  for (const who of [student, agent]) expect((await slotOf(who))?.current?.enteredBy).toEqual(byAgent);
  const { documents } = await student.caller.api.students.dashboard({});
  expect(documents.map(({ enteredBy }) => enteredBy?.by ?? null)).toContainEqual(byAgent);
  expect(await notificationsOf(student)).toEqual([["Passport", "/student-documents"]]);
  await upload(student, { kind: "passport" });
  const slot = await slotOf(student);
  expect([slot?.current?.enteredBy, slot?.earlier[0]?.enteredBy]).toEqual([null, byAgent]);
});

test("the agent supplies a requested document, which names the agent", async () => {
  const { student, agent } = await assignedStudent(w);
  const { ids } = await agent.caller.api.planner.askFor({
    studentId: student.id,
    requests: [{ kind: "other", name: "Bank statement", reason: "", due: null }],
  });
  const supply = async ({ caller }: Person) => {
    const response = await caller.request(`/files/requests/${ids[0]}`, {
      method: "POST",
      headers: uploadHeaders("statement.pdf"),
      body: new Uint8Array(pdf()),
    });
    return { status: response.status, body: await response.json() };
  };
  const stranger = await person(w, "agent", "approved");
  expect((await supply(stranger)).body).toMatchObject({ code: "not-found" });
  await student.caller.api.students.setSharing({ shares: false });
  expect((await supply(agent)).body).toMatchObject({ code: "not-found" });
  await student.caller.api.students.setSharing({ shares: true });
  expect((await supply(agent)).status).toBe(200);
  const { requests } = await student.caller.api.planner.ofStudent({ studentId: student.id });
  expect(requests[0]).toMatchObject({ state: "supplied", file: { enteredBy: byAgent } });
  expect(await notificationsOf(student)).toEqual([["Bank statement", "/student-dashboard"]]);
});

test("a confirmed list is outdated after the agent has uploaded a document on the student's behalf", async () => {
  const { student, agent, id, move } = await submittedApplication(w);
  await upload(student);
  await move(agent, "inReview");
  await confirmList(w, student, agent, id);
  expect((await uploadFor(agent, student.id, "cv")).status).toBe(200);
  const { state, list } = await student.caller.api.applications.confirmation({ applicationId: id });
  expect(state).toBe("outdated");
  expect(list.documents.map(({ enteredBy }) => enteredBy)).toEqual([byAgent]);
  expect((await move(agent, "sentToUniversity")).code).toBe("application/unconfirmed");
  await confirmList(w, student, agent, id);
  expect((await move(agent, "sentToUniversity")).status).toBe(200);
});

test("an entry outlives the agent's account, without a name", async () => {
  const { student, agent } = await assignedStudent(w);
  await fill(agent, student.id, 0);
  await uploadFor(agent, student.id);
  await assign(w, student.id, null);
  await w.services.database.db.delete(user).where(eq(user.id, agent.id));
  const gone = { name: null, agency: "" };
  expect((await entriesOf(student))[0]?.by).toEqual(gone);
  const { slots } = await student.caller.api.documents.ofStudent({ studentId: student.id });
  expect(slots.find(({ kind }) => kind === "passport")?.current?.enteredBy).toEqual(gone);
});

test("the student's download names the person who entered a profile, a document or a requested paper for them", async () => {
  const { student, agent } = await assignedStudent(w);
  await fill(agent, student.id, 0);
  await uploadFor(agent, student.id);
  await upload(student, { kind: "cv" });
  const { ids } = await agent.caller.api.planner.askFor({
    studentId: student.id,
    requests: [{ kind: "other", name: "Bank statement", reason: "", due: null }],
  });
  const body = new Uint8Array(pdf());
  const headers = uploadHeaders("statement.pdf");
  await agent.caller.request(`/files/requests/${ids[0]}`, { method: "POST", headers, body });
  const own = JSON.parse(await ownData(w, student.id));
  const by = "Ada Obi, North Star";
  expect(own.profileEnteredByOthers).toContainEqual(expect.objectContaining({ enteredBy: by }));
  expect(own.documents).toMatchObject([
    { kind: "cv", enteredBy: null },
    { kind: "passport", enteredBy: by },
  ]);
  expect(own.requests).toMatchObject([{ name: "Bank statement", enteredBy: by }]);
});
