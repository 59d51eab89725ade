import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { uploadHeaders } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { applicationAtUniversity, conditionalOffer, inLondon } from "#tests/support/offers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { renewDeadlines } from "../planner/settings.ts";
import { renewOfferDeadlines } from "./deadlines.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const deadline = inLondon("2031-08-12", "17:00");
const offerWith = (due: typeof deadline) => ({
  conditions: [{ text: "IELTS 6.5 overall", kind: "score", due }],
  replyBy: due,
  deposit: { amount: 400_000, currency: "GBP", due },
});

test("upcoming deadlines are recomputed when the rules of their time zones change", async () => {
  const { agent, student, id } = await conditionalOffer(w, offerWith(deadline));
  const studentId = student.id;
  await agent.caller.call("planner.askFor", {
    studentId,
    requests: [{ kind: "other", name: "Visa form", reason: "", due: deadline }],
  });
  const task = { studentId, title: "Enrol", text: "", owner: "student" };
  await agent.caller.call("planner.addTask", { ...task, due: deadline });
  const { db } = w.services.database;
  const moments = async () => {
    const { rows } = await db.execute<{ kind: string; at: string }>(sql`
      select kind, to_json(due_at) #>> '{}' as at from due_thing where student_id = ${studentId} order by kind`);
    return Object.fromEntries(rows.map(({ kind, at }) => [kind, new Date(at).toISOString()]));
  };
  const inSummer = "2031-08-12T16:00:00.000Z";
  const all = { condition: inSummer, deposit: inSummer, offer: inSummer, request: inSummer, task: inSummer };
  expect(await moments()).toEqual(all);
  // These moments were computed before London had summer time.
  const earlier = sql`set due_at = '2031-08-12T17:00:00Z'`;
  const offerIds = sql`(select id from offer where application_id = ${id})`;
  await db.execute(sql`update request ${earlier} where student_id = ${studentId}`);
  await db.execute(sql`update task ${earlier} where student_id = ${studentId}`);
  await db.execute(sql`update offer ${earlier} where id in ${offerIds}`);
  await db.execute(sql`update offer_deposit ${earlier} where id in ${offerIds}`);
  await db.execute(sql`update offer_condition ${earlier} where offer_id in ${offerIds}`);
  await renewDeadlines(w.services);
  await renewOfferDeadlines(w.services);
  expect(await moments()).toEqual(all);
});

test("files, tasks, claims, answers and changes are all accepted after a hard deadline", async () => {
  const past = inLondon("2020-08-12", "17:00");
  const { student, agent, id, save, condition, move, seen } = await applicationAtUniversity(w);
  expect((await save(agent, offerWith(past), { to: "conditionalOffer" })).body).toEqual({ done: true });
  const { body } = await agent.caller.call("planner.askFor", {
    studentId: student.id,
    requests: [{ kind: "other", name: "Visa form", reason: "", due: past }],
  });
  const [requestId] = (body as { ids: string[] }).ids;
  const response = await student.caller.request(`/files/requests/${requestId}`, {
    method: "POST",
    headers: uploadHeaders("visa.pdf"),
    body: new Uint8Array(pdf()),
  });
  expect(response.status).toBe(200);
  const added = await agent.caller.call("planner.addTask", {
    studentId: student.id,
    title: "Enrol",
    text: "",
    owner: "student",
    due: past,
  });
  const { id: taskId } = added.body as { id: string };
  const conditionId = await condition(0);
  const done = { done: true };
  const finish = { taskId, version: 1, to: "done", note: "" };
  expect((await student.caller.call("planner.moveTask", finish)).body).toEqual(done);
  expect((await student.caller.call("offers.claim", { conditionId, text: "" })).body).toEqual(done);
  expect((await student.caller.call("offers.rank", { applicationId: id, rank: "first" })).body).toEqual(done);
  const met = { conditionId, seen: "claimed", mark: "met", reason: "" };
  const boss = await person(w, "admin", "active");
  expect((await boss.caller.call("offers.mark", met)).body).toEqual(done);
  await move(agent, "unconditionalOffer");
  expect((await move(student, "accepted")).body).toEqual(done);
  expect((await seen()).state).toBe("accepted");
});
