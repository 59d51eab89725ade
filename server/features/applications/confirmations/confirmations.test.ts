import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { session } from "#server/features/sessions/tables.ts";
import { confirmList, submit, submittedApplication } from "#tests/support/applications.ts";
import { upload, uploadHeaders } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { proveMailbox } from "#tests/support/mailed-code.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

/** Creates an application in review, whose student has proved the mailbox. */
async function reviewed() {
  const travelling = await submittedApplication(w);
  await proveMailbox(w, travelling.student.caller);
  await upload(travelling.student);
  expect((await travelling.move(travelling.agent, "inReview")).status).toBe(200);
  return travelling;
}
const stateFor = async ({ caller }: Person, applicationId: string) =>
  (await caller.api.applications.confirmation({ applicationId })).state;

test("an agent can't send a list before it is confirmed, or after it has changed", async () => {
  const { student, agent, id, move } = await reviewed();
  expect((await move(agent, "sentToUniversity")).code).toBe("application/unconfirmed");
  await confirmList(w, student, agent, id);
  expect(await stateFor(agent, id)).toBe("confirmed");
  await upload(student, { bytes: new Uint8Array(pdf(9000)) });
  expect(await stateFor(agent, id)).toBe("outdated");
  expect((await move(agent, "sentToUniversity")).code).toBe("application/unconfirmed");
  await confirmList(w, student, agent, id);
  expect((await move(agent, "sentToUniversity")).status).toBe(200);
});

test("an admin can send without a confirmation only with a note, which the student sees", async () => {
  const { student, current, move } = await reviewed();
  const boss = await person(w, "admin", "active");
  expect((await move(boss, "sentToUniversity")).code).toBe("form/incomplete");
  expect((await move(boss, "sentToUniversity", "She confirmed on paper.")).status).toBe(200);
  expect(await current()).toMatchObject({ state: "sentToUniversity", note: "She confirmed on paper." });
  expect(student.id).not.toBe(boss.id);
});

test("only the student can confirm, with a recent login, and only the list that they saw", async () => {
  const { student, agent, id } = await reviewed();
  const { hash } = await student.caller.api.applications.confirmation({ applicationId: id });
  const confirm = (by: Person, listHash = hash) =>
    by.caller.call("applications.confirmList", { applicationId: id, hash: listHash });
  expect((await confirm(student)).code, "nobody has asked").toBe("failed-precondition");
  await agent.caller.api.applications.askConfirmation({ applicationId: id });
  expect((await confirm(agent)).code).toBe("permission-denied");
  expect((await confirm(student, "0".repeat(64))).code).toBe("failed-precondition");
  await w.services.database.db
    .update(session)
    .set({ provedAt: sql`now() - interval '16 minutes'` })
    .where(eq(session.userId, student.id));
  w.services.sessions.evict({ userId: student.id, ended: false });
  expect((await confirm(student)).code).toBe("auth/requires-recent-login");
  expect(await stateFor(student, id)).toBe("asked");
  expect((await student.caller.api.students.dashboard({})).confirms?.id).toBe(id);
});

const waitingFor = async ({ caller }: Person) => (await caller.api.students.dashboard({})).confirms?.id;

test("a list that changes after the request or the confirmation must be confirmed again, without a new request", async () => {
  const { student, agent, id, move } = await reviewed();
  const read = async () => await student.caller.api.applications.confirmation({ applicationId: id });
  const confirm = (hash: string) =>
    student.caller.call("applications.confirmList", { applicationId: id, hash });
  expect(await waitingFor(student)).toBeUndefined();
  await agent.caller.api.applications.askConfirmation({ applicationId: id });
  const former = await read();
  await upload(student, { bytes: new Uint8Array(pdf(9000)) });
  expect(await read()).toMatchObject({ state: "outdated", confirmedAt: null });
  expect(await waitingFor(student)).toBe(id);
  expect((await confirm(former.hash)).code, "it isn't the list any more").toBe("failed-precondition");
  expect((await confirm((await read()).hash)).status).toBe(200);
  expect(await read()).toMatchObject({ state: "confirmed", confirmedAt: expect.any(Date) });
  expect(await waitingFor(student)).toBeUndefined();

  await upload(student, { bytes: new Uint8Array(pdf(7000)) });
  expect(await waitingFor(student)).toBe(id);
  expect(await agent.caller.api.applications.confirmation({ applicationId: id })).toMatchObject({
    state: "outdated",
    confirmedAt: expect.any(Date),
  });
  const { hash, list } = await read();
  const answers = await Promise.all([confirm(hash), confirm(hash)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await move(agent, "sentToUniversity")).status).toBe(200);
  expect(await read()).toMatchObject({ state: "sent", list, hash, confirmedAt: expect.any(Date) });
});

test("the list has requested papers that were accepted, and no rejected documents", async () => {
  const { student, agent, id } = await reviewed();
  const read = async () => await student.caller.api.applications.confirmation({ applicationId: id });
  const askFor = (name: string, applicationId?: string) =>
    agent.caller.api.planner.askFor({
      studentId: student.id,
      applicationId,
      requests: [{ kind: "other", name, reason: "", due: null }],
    });
  const another = (await submit(student, { program: "Law" })).body as { id: string };
  const elsewhere = await askFor("Essay on law", another.id);
  const { ids } = await askFor("Bank statement");
  await askFor("Portfolio");
  await confirmList(w, student, agent, id);
  for (const requestId of [...elsewhere.ids, ...ids]) {
    await student.caller.request(`/files/requests/${requestId}`, {
      method: "POST",
      headers: uploadHeaders("statement.pdf"),
      body: new Uint8Array(pdf()),
    });
    expect(await stateFor(student, id), "nobody has accepted it yet").toBe("confirmed");
    await agent.caller.api.planner.decideRequest({ requestId, version: 2, decision: "accepted", note: "" });
    expect(await stateFor(student, id)).toBe(requestId === ids[0] ? "outdated" : "confirmed");
  }
  expect((await read()).list.documents).toMatchObject([
    { kind: "cv", name: "" },
    { kind: "other", name: "Bank statement", id: ids[0], version: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  await confirmList(w, student, agent, id);

  const cv = (await read()).list.documents[0]?.id ?? "";
  await agent.caller.api.documents.review({
    documentId: cv,
    kind: "cv",
    decision: "rejected",
    seen: "uploaded",
    reason: "Its second page is missing.",
  });
  expect(await read()).toMatchObject({ state: "outdated", list: { documents: [{ kind: "other" }] } });
});

test("a list that changes while it is confirmed is never sent unconfirmed", async () => {
  for (let round = 0; round < 4; round++) {
    const { student, agent, id, move } = await reviewed();
    await agent.caller.api.applications.askConfirmation({ applicationId: id });
    const { hash } = await student.caller.api.applications.confirmation({ applicationId: id });
    await Promise.all([
      student.caller.call("applications.confirmList", { applicationId: id, hash }),
      upload(student, { bytes: new Uint8Array(pdf(5000 + round)) }),
    ]);
    expect(await stateFor(student, id)).toBe("outdated");
    expect((await move(agent, "sentToUniversity")).code).toBe("application/unconfirmed");
  }
});

test("the list that was sent stays as it was confirmed, whatever the student uploads afterwards", async () => {
  const { student, agent, id, move } = await reviewed();
  const read = async ({ caller }: Person) =>
    await caller.api.applications.confirmation({ applicationId: id });
  await confirmList(w, student, agent, id);
  const { list, hash } = await read(student);
  expect((await move(agent, "sentToUniversity")).status).toBe(200);
  await upload(student, { bytes: new Uint8Array(pdf(9000)) });
  for (const who of [student, agent])
    expect(await read(who)).toMatchObject({
      state: "sent",
      list,
      hash,
      confirmedAt: expect.any(Date),
      sentAt: expect.any(Date),
    });

  // Once the application may be sent again, the current list counts.
  expect((await move(agent, "inReview", "The university sent it back.")).status).toBe(200);
  expect(await read(agent)).toMatchObject({ state: "outdated", sentAt: null });
});

test("a list that an admin sends without a confirmation is kept too, as unconfirmed", async () => {
  const { student, agent, id, move } = await reviewed();
  const read = async () => await student.caller.api.applications.confirmation({ applicationId: id });
  await confirmList(w, student, agent, id);
  await upload(student, { bytes: new Uint8Array(pdf(9000)) });
  const { list } = await read();
  const boss = await person(w, "admin", "active");
  expect((await move(boss, "sentToUniversity", "She confirmed on paper.")).status).toBe(200);
  await upload(student, { bytes: new Uint8Array(pdf(7000)) });
  expect(await read()).toMatchObject({ state: "sent", list, confirmedAt: null });
});

test("an application that ended before it was sent shows no list as sent", async () => {
  const { student, agent, id, move } = await reviewed();
  await confirmList(w, student, agent, id);
  expect((await move(agent, "rejected", "The programme is full.")).status).toBe(200);
  expect(await stateFor(student, id)).toBe("confirmed");
});

test("a list that was sent without a confirmation can't be confirmed afterwards", async () => {
  const { student, agent, id, move } = await reviewed();
  await agent.caller.api.applications.askConfirmation({ applicationId: id });
  const { hash } = await student.caller.api.applications.confirmation({ applicationId: id });
  const boss = await person(w, "admin", "active");
  expect((await move(boss, "sentToUniversity", "She confirmed on paper.")).status).toBe(200);
  const late = await student.caller.call("applications.confirmList", { applicationId: id, hash });
  expect(late.code).toBe("failed-precondition");
});
