import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApplicationState } from "#domain/application.ts";
import { type DocumentKind, type DocumentState, documentKinds } from "#domain/document.ts";
import { identityFields } from "#domain/profile.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { document } from "#server/features/documents/tables.ts";
import { submit } from "#tests/support/applications.ts";
import { textIn } from "#tests/support/caller.ts";
import { assignedStudent } from "#tests/support/documents.ts";
import { fullProfile, type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const dashboard = async (who: Person) => (await who.caller.call("students.dashboard")).body;
const empty = { state: null, reason: "", enteredBy: null };

async function put(student: Person, kind: DocumentKind, state: DocumentState, changes: object = {}) {
  const id = randomUUID();
  await w.services.database.db.insert(document).values({
    id,
    studentId: student.id,
    kind,
    storageKey: `documents/${kind}/${student.id}/${id}`,
    originalName: "file.pdf",
    mediaType: "application/pdf",
    size: 1,
    state,
    ...changes,
  });
}

test("a new student's dashboard counts the account's fields, and everything else is missing", async () => {
  const ada = await person(w, "student", "active");
  expect(await dashboard(ada)).toEqual({
    sharingStoppedAt: null,
    change: null,
    confirms: null,
    // First name, last name and email are 3 of 12 fields.
    progress: { profile: 25, documents: 0, overall: 13 },
    missingFields: [
      "dateOfBirth",
      "citizenship",
      "gender",
      "phoneNumber",
      "addressLine1",
      "city",
      "state",
      "postalCode",
      "country",
    ],
    documents: documentKinds.map((kind) => ({ kind, state: null, reason: "", enteredBy: null })),
    entries: [],
    agent: null,
    applications: 0,
    asks: null,
    offer: null,
    reply: null,
  });
});

test("the dashboard follows the profile, the documents and the applications", async () => {
  const ada = await person(w, "student", "active");
  await ada.caller.call("profile.save", { version: 0, profile: fullProfile });
  await put(ada, "cv", "approved", { replacedAt: new Date(), reason: "" });
  await put(ada, "cv", "rejected", { reason: "The second page is missing." });
  await put(ada, "transcript", "approved", { reason: "an earlier remark" });
  await put(ada, "passport", "uploaded");
  const values = {
    studentId: ada.id,
    program: "MSc",
    highestStudyLevel: "Postgraduate",
    additionalInfo: "",
  } as const;
  await w.services.database.db.insert(application).values([
    {
      ...values,
      id: randomUUID(),
      countryCodes: [],
      startDate: "Spring Intake (January)",
      state: "rejected",
    },
    {
      ...values,
      id: randomUUID(),
      countryCodes: [],
      startDate: "Spring Intake (January)",
      state: "submitted",
    },
  ]);
  expect(await dashboard(ada)).toMatchObject({
    // The rejected document counts as missing, which leaves 2 of 6.
    progress: { profile: 100, documents: 33, overall: 67 },
    missingFields: [],
    documents: [
      { kind: "transcript", state: "approved", reason: "", enteredBy: null },
      { kind: "cv", state: "rejected", reason: "The second page is missing.", enteredBy: null },
      { kind: "statement", ...empty },
      { kind: "recommendation1", ...empty },
      { kind: "recommendation2", ...empty },
      { kind: "passport", state: "uploaded", reason: "", enteredBy: null },
    ],
    applications: 2,
  });
});

test("the dashboard shows the agent's name, agency, email and phone, and nothing else", async () => {
  const [ada, kofi] = [await person(w, "student", "active"), await person(w, "agent", "approved")];
  await kofi.caller.call("profile.save", { version: 0, profile: { ...fullProfile, firstName: "Kofi" } });
  const { db } = w.services.database;
  await db.update(user).set({ assignedAgentId: kofi.id }).where(eq(user.id, ada.id));
  const agent = { name: "Kofi Obi", agency: "North Star", email: kofi.email, phone: fullProfile.phoneNumber };
  expect(await dashboard(ada)).toMatchObject({ agent });
  const text = JSON.stringify(await dashboard(ada));
  for (const field of identityFields) expect(text).not.toContain(`"${fullProfile[field]}"`);
  expect(Object.keys((await ada.caller.api.students.dashboard()).agent ?? {}).toSorted()).toEqual(
    Object.keys(agent).toSorted(),
  );
});

test("the dashboard is the caller's own: another student's documents and profile are not shown", async () => {
  const [ada, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
  await other.caller.call("profile.save", { version: 0, profile: fullProfile });
  await put(other, "cv", "uploaded");
  expect((await ada.caller.call("students.dashboard", { studentId: other.id })).body).toMatchObject({
    progress: { profile: 25, documents: 0 },
  });
});

test("the dashboard shows the application that has waited longest for the student's own step", async () => {
  const [ada, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const asks = async () => (await ada.caller.api.students.dashboard()).asks;
  const add = async (who: Person, state: ApplicationState, minute: number) => {
    const id = randomUUID();
    await w.services.database.db.insert(application).values({
      id,
      studentId: who.id,
      program: `${state} ${minute}`,
      highestStudyLevel: "Postgraduate",
      countryCodes: [],
      additionalInfo: "",
      startDate: "Spring Intake (January)",
      state,
      updatedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
    });
    return id;
  };
  await add(other, "informationRequired", 0);
  await add(ada, "conditionalOffer", 1);
  expect(await asks()).toBeNull();
  const offer = await add(ada, "unconditionalOffer", 3);
  expect(await asks()).toMatchObject({
    id: offer,
    program: "unconditionalOffer 3",
    state: "unconditionalOffer",
  });
  const question = await add(ada, "informationRequired", 2);
  expect(await asks()).toEqual({
    id: question,
    program: "informationRequired 2",
    intake: "Spring Intake (January)",
    university: "",
    year: null,
    state: "informationRequired",
  });
});

test("the dashboard shows the conversation that has waited longest for the student's answer", async () => {
  const { student, agent } = await assignedStudent(w);
  const applicationId = textIn((await submit(student)).body, "id");
  const waiting = async () => (await student.caller.api.students.dashboard({})).reply;
  const write = (to: string | null) =>
    agent.caller.api.conversations.send({
      studentId: student.id,
      applicationId: to,
      key: randomUUID(),
      text: "When can we talk?",
      files: [],
    });
  expect(await waiting()).toBeNull();
  const { threadId } = await write(applicationId);
  const general = await write(null);
  expect(await waiting()).toMatchObject({ threadId, application: { program: "MSc Data Science" } });
  await student.caller.api.conversations.send({
    studentId: student.id,
    applicationId,
    key: randomUUID(),
    text: "Tomorrow.",
    files: [],
  });
  expect(await waiting()).toEqual({ threadId: general.threadId, application: null });
});
