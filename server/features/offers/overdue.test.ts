import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { notificationText, readAbout } from "#domain/notification.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { pause } from "#server/features/planner/tables.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { conditionalOffer, inLondon } from "#tests/support/offers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { notifyOfOverdueOffers } from "./overdue.ts";

let w: Wayfare;
let other: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  other = await wayfare({ on: w.address });
  boss = await person(w, "admin", "active");
});
afterAll(async () => {
  await other.stop();
  await w.stop();
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const overdueSince = (days: number) => conditionalOffer(w, { replyBy: inLondon(daysAgo(days)) });
const tellTwiceOnBothNodes = () =>
  Promise.all([w, other, w, other].map(({ services }) => notifyOfOverdueOffers(services)));

async function timesTold({ id }: Person, applicationId: string): Promise<number> {
  const rows = await w.services.database.db
    .select({ kind: notification.kind, ids: notification.ids })
    .from(notification)
    .where(eq(notification.userId, id));
  return rows.filter(({ kind, ids }) => kind === "offerOverdue" && ids?.applicationId === applicationId)
    .length;
}

test("student and agent are notified once when the reply to an offer is overdue, and admins after three days", async () => {
  const [fresh, older] = [await overdueSince(2), await overdueSince(5)];
  await tellTwiceOnBothNodes();
  await tellTwiceOnBothNodes();
  for (const { student, agent, id } of [fresh, older])
    expect([await timesTold(student, id), await timesTold(agent, id)]).toEqual([1, 1]);
  expect([await timesTold(boss, fresh.id), await timesTold(boss, older.id)]).toEqual([0, 1]);
});

test("an agent's notification gives the deadline in their own time zone, and what happens after it", async () => {
  const { agent, id } = await overdueSince(2);
  await agent.caller.call("planner.setTimeZone", { timeZone: "Asia/Kolkata" });
  await tellTwiceOnBothNodes();
  const rows = await w.services.database.db
    .select()
    .from(notification)
    .where(and(eq(notification.userId, agent.id), eq(notification.kind, "offerOverdue")));
  const entry = rows.find(({ ids }) => ids?.applicationId === id);
  const text = notificationText("offerOverdue", readAbout("offerOverdue", entry?.about ?? {}));
  expect(text).toMatch(/ in London; .* your time\. Not taken after this\. Nothing has been accepted/);
});

test("a postponed reply-by date sends another notification when it passes, and a withdrawn application none", async () => {
  const withdrawn = await overdueSince(2);
  await withdrawn.student.caller.call("offers.decline", {
    applicationId: withdrawn.id,
    version: await withdrawn.version(),
  });
  const moved = await overdueSince(2);
  await tellTwiceOnBothNodes();
  expect(await timesTold(withdrawn.student, withdrawn.id)).toBe(0);
  await moved.save(moved.agent, { conditions: [], replyBy: inLondon("2099-01-01") });
  await tellTwiceOnBothNodes();
  expect(await timesTold(moved.agent, moved.id)).toBe(1);
  await moved.save(moved.agent, { conditions: [], replyBy: inLondon(daysAgo(1)) });
  await tellTwiceOnBothNodes();
  const { rows } = await w.services.database.db.execute(sql`
    select from notification where user_id = ${moved.agent.id} and kind = 'offerOverdue'`);
  // The earlier entry was unread, so the later one replaced it.
  expect(rows).toHaveLength(1);
  const marks = await w.services.database.db.execute(sql`
    select from offer_overdue join offer on offer.id = offer_id where application_id = ${moved.id}`);
  expect(marks.rows).toHaveLength(2);
});

test("a pause delays the notifications of student and agent until it ends, but not those of admins", async () => {
  const { student, agent, id } = await overdueSince(5);
  const lastDay = daysAgo(-3);
  expect((await agent.caller.call("planner.pause", { studentId: student.id, lastDay })).body).toEqual({
    done: true,
  });
  await tellTwiceOnBothNodes();
  const timesOfAll = async () => [
    await timesTold(student, id),
    await timesTold(agent, id),
    await timesTold(boss, id),
  ];
  expect(await timesOfAll()).toEqual([0, 0, 1]);
  await w.services.database.db
    .update(pause)
    .set({ endsAt: new Date(Date.now() - 1000) })
    .where(eq(pause.studentId, student.id));
  await tellTwiceOnBothNodes();
  expect(await timesOfAll()).toEqual([1, 1, 1]);
});
