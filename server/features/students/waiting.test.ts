import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApplicationState } from "#domain/application.ts";
import { type DocumentKind, documentKinds } from "#domain/document.ts";
import { waitingLimit } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { document } from "#server/features/documents/tables.ts";
import { shortlistItem } from "#server/features/shortlist/tables.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let kofi: Person;
let yaw: Person;
beforeAll(async () => {
  w = await wayfare();
  [kofi, yaw] = [await person(w, "agent", "approved"), await person(w, "agent", "approved")];
});
afterAll(() => w.stop());

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const waiting = async (agent: Person, all = false) =>
  (await agent.caller.call("students.waiting", { all })).body;
const none = { entries: [], total: 0 };

async function studentOf(agent: Person | null, assignedAt = hoursAgo(8 * 24)) {
  const student = await person(w, "student", "active");
  if (agent)
    await w.services.database.db
      .update(user)
      .set({ assignedAgentId: agent.id, assignedAt })
      .where(eq(user.id, student.id));
  return student;
}

async function addDocument(
  studentId: string,
  kind: DocumentKind,
  changes: Partial<typeof document.$inferInsert> = {},
) {
  const id = randomUUID();
  const file = { storageKey: id, originalName: "a.pdf", mediaType: "application/pdf", size: 1 } as const;
  await w.services.database.db.insert(document).values({ id, studentId, kind, ...file, ...changes });
}

async function addApplication(studentId: string, state: ApplicationState, hours: number, program = "Law") {
  await w.services.database.db.insert(application).values({
    id: randomUUID(),
    studentId,
    program,
    highestStudyLevel: "Postgraduate",
    countryCodes: ["CA"],
    startDate: "Spring Intake (January)",
    additionalInfo: "",
    state,
    updatedAt: hoursAgo(hours),
  });
}

test("the expanded row shows agent, progress, document states and counts to any approved agent", async () => {
  const ada = await studentOf(kofi);
  await addDocument(ada.id, "transcript", { state: "approved" });
  await addDocument(ada.id, "cv", { state: "rejected", reason: "secret reason" });
  await addDocument(ada.id, "passport", { state: "approved", replacedAt: new Date() });
  await addDocument(ada.id, "passport");
  await addApplication(ada.id, "submitted", 1);
  await w.services.database.db.insert(shortlistItem).values({
    id: randomUUID(),
    studentId: ada.id,
    university: "Accra",
    course: "Law",
    url: "https://example.org",
    addedBy: ada.id,
  });
  const states: Partial<Record<DocumentKind, string>> = {
    transcript: "approved",
    cv: "rejected",
    passport: "uploaded",
  };
  const answer = await yaw.caller.call("students.details", { studentId: ada.id });
  expect(answer.body).toEqual({
    id: ada.id,
    sharingStoppedAt: null,
    agent: { id: kofi.id, name: "Ada Obi", agency: "North Star" },
    // Three of twelve fields come from the sign-up; two of six documents count, since a rejected one is missing.
    progress: { profile: 25, documents: 33, overall: 29 },
    documents: documentKinds.map((kind) => ({ kind, state: states[kind] ?? null })),
    shortlistItems: 1,
    applications: 1,
  });
  expect((await yaw.caller.call("students.details", { studentId: kofi.id })).code).toBe("not-found");
});

test("an agent for whom nothing waits gets empty lists", async () => {
  const agent = await person(w, "agent", "approved");
  await studentOf(agent);
  expect(await waiting(agent)).toEqual({
    documents: none,
    applications: none,
    idle: none,
    assigned: none,
    students: none,
  });
});

test("unreviewed documents wait for the student's agent, with one entry per student", async () => {
  const agent = await person(w, "agent", "approved");
  const [ada, bea, others] = [await studentOf(agent), await studentOf(agent), await studentOf(kofi)];
  const since = hoursAgo(5);
  await addDocument(ada.id, "cv", { uploadedAt: since });
  await addDocument(ada.id, "transcript", { uploadedAt: hoursAgo(2) });
  await addDocument(ada.id, "statement", { state: "approved", uploadedAt: hoursAgo(9) });
  await addDocument(ada.id, "passport", { replacedAt: new Date(), uploadedAt: hoursAgo(9) });
  await addDocument(bea.id, "passport", { uploadedAt: hoursAgo(1) });
  await addDocument(others.id, "passport");
  expect(await waiting(agent)).toMatchObject({
    documents: {
      entries: [
        { student: { id: ada.id, name: "Ada Obi" }, kinds: ["transcript", "cv"], since: since.toISOString() },
        { student: { id: bea.id }, kinds: ["passport"] },
      ],
      total: 2,
    },
  });
});

test("an application is listed for whoever takes its next step, and as idle after 48 hours elsewhere", async () => {
  const agent = await person(w, "agent", "approved");
  const [ada, others] = [await studentOf(agent), await studentOf(kofi)];
  await addApplication(ada.id, "submitted", 0, "New");
  await addApplication(ada.id, "inReview", 1, "Answered");
  await addApplication(ada.id, "accepted", 60, "Visa next");
  await addApplication(ada.id, "informationRequired", 100, "Asked");
  await addApplication(ada.id, "unconditionalOffer", 0, "Offered");
  await addApplication(ada.id, "visa", 72, "Visa");
  await addApplication(ada.id, "sentToUniversity", 49, "Sent");
  await addApplication(ada.id, "conditionalOffer", 47, "Fresh");
  for (const state of ["enrolled", "rejected", "withdrawn", "deferred"] as const)
    await addApplication(ada.id, state, 100, state);
  await addApplication(others.id, "submitted", 100);
  expect(await waiting(agent)).toMatchObject({
    applications: {
      entries: [
        { student: { id: ada.id }, program: "Visa next", state: "accepted" },
        { program: "Answered" },
        { program: "New", state: "submitted" },
      ],
      total: 3,
    },
    idle: { entries: [{ program: "Visa", state: "visa" }, { program: "Sent" }], total: 2 },
    students: { entries: [{ program: "Asked" }, { program: "Offered" }], total: 2 },
  });
});

test("students who were assigned in the last 7 days are listed in part or in full, with their total", async () => {
  const agent = await person(w, "agent", "approved");
  await studentOf(agent, hoursAgo(7 * 24 + 1));
  const newest = await studentOf(agent, hoursAgo(0));
  for (let at = 0; at < waitingLimit.first; at++) await studentOf(agent, hoursAgo(24 + at));
  const total = waitingLimit.first + 1;
  expect(await waiting(agent)).toMatchObject({
    assigned: { entries: { length: waitingLimit.first, 0: { student: { id: newest.id } } }, total },
  });
  expect(await waiting(agent, true)).toMatchObject({ assigned: { entries: { length: total }, total } });
});
