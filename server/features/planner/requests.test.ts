import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { DocumentRequest, DueThing } from "#contract/planned-work.ts";
import { type ListedApplication, submit } from "#tests/support/applications.ts";
import { statementsWait } from "#tests/support/conversations.ts";
import { assign, assignedStudent, upload, uploadHeaders } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { keysIn } from "#tests/support/stores.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { audit } from "../audit/tables.ts";
import { storedFile } from "../files/tables.ts";
import { notification } from "../notifications/tables.ts";

let w: Wayfare;
let student: Person;
let agent: Person;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());
beforeEach(async () => {
  ({ student, agent } = await assignedStudent(w));
});

const ask = async (...requests: object[]) => {
  const answer = await agent.caller.call("planner.askFor", {
    studentId: student.id,
    requests: requests.map((each) => ({ kind: "other", name: "Bank statement", reason: "", ...each })),
  });
  return (answer.body as { ids: string[] }).ids;
};
const requestsOf = async ({ caller }: Person) =>
  (
    (await caller.call("planner.ofStudent", { studentId: student.id })).body as {
      requests: DocumentRequest[];
    }
  ).requests;
const requestOf = async (id: string) => (await requestsOf(agent)).find((each) => each.id === id);

const supply = async (id: string, { caller }: Person = student) => {
  const response = await caller.request(`/files/requests/${id}`, {
    method: "POST",
    headers: uploadHeaders("statement.pdf"),
    body: new Uint8Array(pdf()),
  });
  return { status: response.status, body: await response.json() };
};
const decide = async (requestId: string, decision: string, note = "") => {
  const version = (await requestOf(requestId))?.version;
  return await agent.caller.call("planner.decideRequest", { requestId, version, decision, note });
};
const mailsOf = async ({ id }: Person, kind: string) => {
  const rows = await w.services.database.db.select().from(notification).where(eq(notification.userId, id));
  return rows.filter((row) => row.kind === kind);
};

test("several requests are sent in one mail, and the student's list sorts them by deadline", async () => {
  const due = { time: null, zone: "Europe/London", whose: "institution", hard: false };
  await ask(
    { name: "Bank statement", due: { ...due, date: "2031-09-01" } },
    { kind: "transcript", name: "ignored" },
    { name: "Visa form", due: { ...due, date: "2031-08-01", hard: true } },
  );
  const notifications = await mailsOf(student, "requestMade");
  expect(notifications).toHaveLength(3);
  expect(new Set(notifications.map(({ mailId }) => mailId)).size).toBe(1);
  const mail = await w.mail(student.email, /3 things for you to do/);
  expect(mail.subject).toBe("3 things for you to do");
  const { things } = (await student.caller.call("planner.mine")).body as { things: DueThing[] };
  expect(things.map(({ title }) => title)).toEqual(["Visa form", "Bank statement", "Transcript"]);
});

test("a requested file is supplied, sent back, supplied again and accepted", async () => {
  const [id = ""] = await ask({});
  expect((await supply(id)).status).toBe(200);
  expect(await requestOf(id)).toMatchObject({ state: "supplied", file: { name: "statement.pdf" } });
  expect(await mailsOf(agent, "requestSupplied")).toHaveLength(1);
  expect((await supply(id)).status).toBe(409);
  expect((await decide(id, "sentBack")).code).toBe("form/incomplete");
  expect((await decide(id, "sentBack", "The last page is missing.")).body).toEqual({ done: true });
  expect(await mailsOf(student, "requestSentBack")).toHaveLength(1);
  expect((await supply(id)).status).toBe(200);
  expect((await decide(id, "accepted")).body).toEqual({ done: true });
  expect((await requestOf(id))?.state).toBe("accepted");
  // The file that was sent back is deleted together with its record.
  const files = await w.services.database.db
    .select()
    .from(storedFile)
    .where(and(eq(storedFile.ownerId, student.id), eq(storedFile.purpose, "requestedFile")));
  const keys = await keysIn(w);
  expect(keys.filter((key) => key.startsWith(`requests/${student.id}/`))).toEqual(
    files.map(({ key }) => key),
  );
  expect(files).toHaveLength(1);
});

test("only one of two files that are sent concurrently for a request is accepted", async () => {
  const [id = ""] = await ask({});
  const answers = await Promise.all([supply(id), supply(id)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test("a request for one of the six standard documents follows the file in its slot", async () => {
  const [id = ""] = await ask({ kind: "cv", name: "" });
  const { id: first } = await upload(student);
  expect((await requestOf(id))?.state).toBe("supplied");
  const review = { documentId: first, kind: "cv", seen: "uploaded" };
  await agent.caller.call("documents.review", { ...review, decision: "rejected", reason: "Too old." });
  expect(await requestOf(id)).toMatchObject({ state: "sentBack", note: "Too old." });
  const { id: second } = await upload(student);
  expect((await decide(id, "accepted")).code).toBe("failed-precondition");
  await student.caller.call("documents.takeBack", { documentId: second });
  expect((await requestOf(id))?.state).toBe("asked");
  const { id: third } = await upload(student);
  await agent.caller.call("documents.review", { ...review, documentId: third, decision: "approved" });
  expect((await requestOf(id))?.state).toBe("accepted");
});

test("a blocking request keeps an application from its next step until it is accepted", async () => {
  const { id: applicationId } = (await submit(student)).body as ListedApplication;
  const { body } = await agent.caller.call("planner.askFor", {
    studentId: student.id,
    applicationId,
    requests: [{ kind: "other", name: "Bank statement", reason: "", blocks: true }],
  });
  const [id = ""] = (body as { ids: string[] }).ids;
  const move = (to: string, version: number) =>
    agent.caller.call("applications.move", { applicationId, version, to, note: "" });
  const refused = await move("inReview", 1);
  expect(refused.code).toBe("failed-precondition");
  expect(refused.message).toContain("Bank statement");
  await supply(id);
  await decide(id, "accepted");
  expect((await move("inReview", 1)).body).toEqual({ done: true });
});

test("an agent without access to the student's papers can't judge one or see its name, but may cancel the request", async () => {
  const { id: applicationId } = (await submit(student)).body as ListedApplication;
  const { body } = await agent.caller.call("planner.askFor", {
    studentId: student.id,
    applicationId,
    requests: [{ kind: "other", name: "Bank statement", reason: "", blocks: true }],
  });
  const [id = ""] = (body as { ids: string[] }).ids;
  await supply(id);
  await student.caller.api.students.setSharing({ shares: false });
  expect((await decide(id, "accepted")).code).toBe("not-found");
  expect((await decide(id, "sentBack", "Too dark.")).code).toBe("not-found");
  expect(await requestOf(id)).toMatchObject({ state: "supplied", file: null });
  expect((await requestsOf(student))[0]?.file?.name).toBe("statement.pdf");
  const step = { applicationId, version: 1, to: "inReview", note: "" };
  expect((await agent.caller.call("applications.move", step)).code).toBe("failed-precondition");
  const boss = await person(w, "admin", "active");
  expect((await requestsOf(boss))[0]?.file?.name).toBe("statement.pdf");
  const decision = { requestId: id, version: 2, decision: "accepted", note: "" } as const;
  expect(await boss.caller.api.planner.decideRequest(decision)).toEqual({ done: true });
  expect((await decide(id, "sentBack", "Too dark.")).code).toBe("not-found");
  const [other = ""] = await ask({});
  expect((await decide(other, "cancelled")).body).toEqual({ done: true });
});

test("a request without an application can't block one", async () => {
  const asking = {
    studentId: student.id,
    requests: [{ kind: "other", name: "Bank statement", blocks: true }],
  };
  expect(await agent.caller.call("planner.askFor", asking)).toMatchObject({
    code: "form/incomplete",
    message: "Please choose the application that waits for it.",
  });
  const [requestId = ""] = await ask({});
  const change = { requestId, version: 1, reason: "", blocks: true, due: null };
  expect((await agent.caller.call("planner.changeRequest", change)).code).toBe("form/incomplete");
});

test("a former agent sees nothing that is requested after the hand-over, even with a call already in progress", async () => {
  await ask({});
  const next = await person(w, "agent", "approved");
  const client = await w.services.database.pool.connect();
  await client.query("begin");
  await client.query("lock table stored_file in access exclusive mode");
  const pendingCall = agent.caller.call("planner.ofStudent", { studentId: student.id });
  await statementsWait(w, 1);
  await assign(w, student.id, next.id);
  await client.query("update request set reason = 'canary-815' where student_id = $1", [student.id]);
  await client.query("commit");
  client.release();
  expect(await pendingCall).toMatchObject({ code: "not-found" });
  expect((await requestsOf(next)).map(({ reason }) => reason)).toEqual(["canary-815"]);
});

test("the agent opens the file by a link, which is in the audit log; others get neither file nor link", async () => {
  const [id = ""] = await ask({});
  await supply(id);
  const { body } = await agent.caller.call("planner.requestLink", { requestId: id, mode: "download" });
  const { url } = body as { url: string };
  const file = await agent.caller.request(url, {});
  expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(pdf()));
  const looks = await w.services.database.db
    .select()
    .from(audit)
    .where(and(eq(audit.subjectId, student.id), eq(audit.action, "document-downloaded")));
  expect(looks.map(({ detail }) => detail)).toEqual([{ right: "agent", request: id }]);
  const stranger = await person(w, "agent", "approved");
  expect((await stranger.caller.request(url, {})).status).toBe(404);
  expect((await stranger.caller.call("planner.requestLink", { requestId: id, mode: "view" })).code).toBe(
    "not-found",
  );
  const other = await person(w, "student", "active");
  expect((await supply(id, other)).status).toBe(404);
});
