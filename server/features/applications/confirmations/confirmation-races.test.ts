import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applicationStep, confirmation } from "#server/features/applications/tables.ts";
import { submittedApplication } from "#tests/support/applications.ts";
import { Caller } from "#tests/support/caller.ts";
import { upload } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { proveMailbox } from "#tests/support/mailed-code.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let other: Wayfare;
beforeAll(async () => {
  w = await wayfare();
  other = await wayfare({ on: w.address });
});
afterAll(async () => {
  await other.stop();
  await w.stop();
});

/** Returns the same person at the other node. */
function onOther({ caller, ...others }: Person): Person {
  const there = new Caller(other.app);
  for (const [name, value] of caller.cookies) there.cookies.set(name, value);
  return { ...others, caller: there };
}

/** Asks a student to confirm an application. The student's later calls reach the other node. */
async function askedList() {
  const { student, agent, id, move, current } = await submittedApplication(w);
  await proveMailbox(w, student.caller);
  await upload(student);
  expect((await move(agent, "inReview")).status).toBe(200);
  await agent.caller.api.applications.askConfirmation({ applicationId: id });
  const { hash, list } = await student.caller.api.applications.confirmation({ applicationId: id });
  const version = (await current())?.version;
  const there = onOther(student);
  const read = () => agent.caller.api.applications.confirmation({ applicationId: id });
  return {
    there,
    agent,
    id,
    hash,
    list,
    read,
    confirm: () => there.caller.call("applications.confirmList", { applicationId: id, hash }),
    send: (who: Person, note = "") => move(who, "sentToUniversity", note, version),
  };
}

/** Returns the confirmations of an application, and how often it was sent. */
async function storedOf(applicationId: string) {
  const { db } = w.services.database;
  const isSent = and(
    eq(applicationStep.applicationId, applicationId),
    eq(applicationStep.to, "sentToUniversity"),
  );
  return {
    confirmations: await db.select().from(confirmation).where(eq(confirmation.applicationId, applicationId)),
    sent: await db.$count(applicationStep, isSent),
  };
}

test("an agent's move concurrent with a confirmation on another node succeeds only after it", async () => {
  for (let round = 0; round < 20; round++) {
    const { agent, id, hash, read, confirm, send } = await askedList();
    const [confirmed, moved] = await Promise.all([confirm(), send(agent)]);
    // The move can't win, because it needs this confirmation.
    expect(confirmed.status).toBe(200);
    expect([null, "application/unconfirmed"]).toContain(moved.code);
    const { confirmations, sent } = await storedOf(id);
    expect(confirmations).toMatchObject([{ hash, confirmedAt: expect.any(Date) }]);
    expect(sent).toBe(moved.code === null ? 1 : 0);
    expect((await read()).state).toBe(moved.code === null ? "sent" : "confirmed");
  }
});

test("moves concurrent with a confirmation and a new file on another node send only the confirmed list", async () => {
  for (let round = 0; round < 10; round++) {
    const { there, agent, id, hash, list, read, confirm, send } = await askedList();
    const [, , ...moves] = await Promise.all([
      confirm(),
      upload(there, { bytes: new Uint8Array(pdf(6000 + round)) }),
      send(agent),
      send(agent),
    ]);
    const { sent } = await storedOf(id);
    expect(moves.filter(({ code }) => code === null)).toHaveLength(sent);
    const latest = await read();
    if (sent === 0) expect(latest.state).toBe("outdated");
    else expect(latest).toMatchObject({ state: "sent", hash, list, confirmedAt: expect.any(Date) });
    expect(sent).toBeLessThanOrEqual(1);
  }
});

test("an admin's move concurrent with a confirmation on another node sends a list confirmed before it or never", async () => {
  const boss = await person(w, "admin", "active");
  for (let round = 0; round < 10; round++) {
    const { id, read, confirm, send } = await askedList();
    const [confirmed, moved] = await Promise.all([confirm(), send(boss, "She confirmed on paper.")]);
    expect(moved.status).toBe(200);
    expect([null, "failed-precondition"]).toContain(confirmed.code);
    const { confirmations } = await storedOf(id);
    expect(confirmations.map(({ confirmedAt }) => confirmedAt !== null)).toEqual([confirmed.code === null]);
    expect((await read()).state).toBe("sent");
  }
});
