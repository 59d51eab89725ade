import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applicationTopic, threadTopic } from "#protocol/live-topic.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { submit } from "#tests/support/applications.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { messagesOf, send, uploadForMessage } from "#tests/support/conversations.ts";
import { assign, assignedStudent, giveReason, upload } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { openStream, type Stream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let other: Wayfare;
beforeAll(async () => {
  w = await wayfare();
  const { dataDir, storageUrl } = w.environment;
  const variables = { DATA_DIR: dataDir, ...(storageUrl !== null && { STORAGE_URL: storageUrl }) };
  other = await wayfare({ on: w.address, variables });
});
afterAll(async () => {
  await other.stop();
  await w.stop();
});

const share = ({ caller }: Person, shares: boolean) => caller.call("students.setSharing", { shares });

/** Tries everything that shows or judges a student's papers; returns the codes of the answers. */
async function accessCodes(caller: Caller, studentId: string, documentId: string) {
  const review = { documentId, kind: "cv", decision: "approved", seen: "uploaded" };
  const answers = [
    await caller.call("students.identity", { studentId }),
    await caller.call("students.fileLink", { studentId }),
    await caller.call("documents.ofStudent", { studentId }),
    await caller.call("documents.link", { documentId, mode: "view" }),
    await caller.call("documents.review", review),
  ];
  return [...new Set(answers.map(({ code }) => code))];
}

test("stopping closes papers, links and reviews on every node immediately, but not applications", async () => {
  const { student, agent } = await assignedStudent(w);
  const { id: documentId } = await upload(student);
  const application = (await submit(student)).body;
  const far = new Caller(other.app);
  for (const [name, value] of agent.caller.cookies) far.cookies.set(name, value);
  const { url } = await agent.caller.api.documents.link({ documentId, mode: "view" });
  const zip = await agent.caller.api.students.fileLink({ studentId: student.id });
  for (const address of [url, zip.url]) {
    const file = await far.request(address, { method: "GET" });
    expect([file.status, (await file.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  }

  expect((await share(student, false)).status).toBe(200);
  for (const caller of [agent.caller, far])
    expect(await accessCodes(caller, student.id, documentId)).toEqual(["not-found"]);
  for (const caller of [agent.caller, far])
    for (const address of [url, zip.url])
      expect((await caller.request(address, { method: "GET" })).status).toBe(404);
  const move = { applicationId: textIn(application, "id"), version: 1, to: "inReview", note: "" };
  expect((await agent.caller.call("applications.move", move)).status).toBe(200);
  const details = await agent.caller.api.students.details({ studentId: student.id });
  expect(details.sharingStoppedAt).toBeInstanceOf(Date);
  const boss = await person(w, "admin", "active");
  await giveReason(boss, student.id);
  expect((await boss.caller.call("students.identity", { studentId: student.id })).status).toBe(200);

  expect((await share(student, true)).status).toBe(200);
  expect((await agent.caller.call("documents.ofStudent", { studentId: student.id })).status).toBe(200);
  expect((await agent.caller.api.students.details({ studentId: student.id })).sharingStoppedAt).toBeNull();
  const entries = await w.services.database.db
    .select({ about: notification.about })
    .from(notification)
    .where(eq(notification.userId, agent.id));
  expect(entries).toContainEqual({ about: { student: "Ada Obi", sharing: "resumed" } });
});

/** Reads a stream until it has had an event of each topic. */
async function eachTopic(stream: Stream, topics: readonly string[]): Promise<void> {
  const missing = new Set(topics);
  while (missing.size > 0) {
    const name = await stream.next();
    if (name === null) throw new Error(`the stream ended before ${[...missing].join(" and ")}`);
    missing.delete(name);
  }
}

test("the agent's open pages on another node are refreshed immediately, and show no file names", async () => {
  const { student, agent } = await assignedStudent(w);
  const application = (await submit(student)).body;
  const { id: fileId } = await uploadForMessage(student, student.id, "canary-427.pdf");
  const { threadId } = await send(student, student.id, { files: [fileId] });
  const far = { caller: agent.caller.on(other.app) };
  const topics = [applicationTopic(textIn(application, "id")), threadTopic(threadId)];
  const stream = await openStream(far.caller, [...topics, "account"].join(","));
  await eachTopic(stream, topics);
  // Everything that was published before this event has arrived before it.
  await w.services.live.publish(`account:${agent.id}`, "{}");
  await eachTopic(stream, ["account"]);
  expect(JSON.stringify(await messagesOf(far, threadId))).toContain("canary-427");
  expect((await share(student, false)).status).toBe(200);
  await eachTopic(stream, topics);
  expect(JSON.stringify(await messagesOf(far, threadId))).not.toContain("canary-427");
  await stream.leave();
});

test("an agent who takes the student on again still sees nothing, but another agent does", async () => {
  const { student, agent } = await assignedStudent(w);
  const { id: documentId } = await upload(student);
  await share(student, false);
  const assignTo = (agentId: string | null, expectedAgentId: string | null) =>
    agent.caller.call("students.assign", { studentId: student.id, agentId, expectedAgentId });
  expect((await assignTo(null, agent.id)).status).toBe(200);
  expect((await assignTo(agent.id, null)).status).toBe(200);
  expect(await accessCodes(agent.caller, student.id, documentId)).toEqual(["not-found"]);
  const successor = await person(w, "agent", "approved");
  await assign(w, student.id, successor.id);
  expect((await successor.caller.call("documents.ofStudent", { studentId: student.id })).status).toBe(200);

  // Sharing is stopped per agent: stopping or resuming with one of them changes nothing for the other.
  await share(student, false);
  await assign(w, student.id, agent.id);
  expect(await accessCodes(agent.caller, student.id, documentId)).toEqual(["not-found"]);
  await share(student, true);
  expect((await agent.caller.call("documents.ofStudent", { studentId: student.id })).status).toBe(200);
  await assign(w, student.id, successor.id);
  expect(await accessCodes(successor.caller, student.id, documentId)).toEqual(["not-found"]);
});

test("a view that begins after the stop was answered never succeeds, while other views race it", async () => {
  const { student, agent } = await assignedStudent(w);
  const racingViews = Promise.all(
    Array.from({ length: 12 }, () => agent.caller.call("students.identity", { studentId: student.id })),
  );
  await share(student, false);
  const after = await Promise.all(
    Array.from({ length: 6 }, () => agent.caller.call("students.identity", { studentId: student.id })),
  );
  expect(new Set(after.map(({ code }) => code))).toEqual(new Set(["not-found"]));
  await racingViews;
});

test("a student without an agent can't stop sharing", async () => {
  const student = await person(w, "student", "active");
  expect((await share(student, false)).code).toBe("failed-precondition");
});

test("an agent isn't notified of uploads that they may not see", async () => {
  const { student, agent } = await assignedStudent(w);
  await share(student, false);
  await upload(student, { kind: "passport" });
  const entries = await w.services.database.db
    .select({ kind: notification.kind })
    .from(notification)
    .where(eq(notification.userId, agent.id));
  expect(entries).toEqual([{ kind: "sharingChanged" }]);
  expect((await agent.caller.api.students.waiting({})).documents.total).toBe(0);
});
