import { afterAll, beforeAll, expect, test } from "vitest";
import type { NotificationEntry } from "#contract/notifications.ts";
import { notificationKindsOf } from "#domain/notification.ts";
import { mostUnread } from "#protocol/page-sizes.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { asNotification, type NotificationInput } from "#tests/support/notification-input.ts";
import { openStream } from "#tests/support/stream.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { type NewNotification, notify } from "./commands.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const newNotification = (
  who: Person,
  eventKey: string,
  changes: Partial<NotificationInput> = {},
): NewNotification =>
  asNotification({
    userId: who.id,
    kind: "documentApproved",
    eventKey,
    about: { document: "CV" },
    ids: {},
    path: "/student-documents",
    ...changes,
  });
const notifyAll = (...all: NewNotification[]) =>
  w.services.database.transaction((tx) => notify(w.services, tx, ...all));
const bellOf = async (who: Person, cursor?: string) =>
  (await who.caller.call("notifications.list", { ...(cursor && { cursor }) })).body as {
    entries: NotificationEntry[];
    next: string | null;
  };
const unread = async (who: Person) => (await who.caller.call("notifications.unread")).body;

async function mailJobs(who: Person): Promise<number> {
  const { rows } = await w.services.database.pool.query<{ id: string }>(
    `select distinct job.id from jobs.job
     join notification on notification.mail_id = (job.data->'data'->>'mailId')::uuid
     where job.data->>'mail' = 'notification' and notification.user_id = $1`,
    [who.id],
  );
  return rows.length;
}

test("an event notified repeatedly and concurrently is one entry and one mail for each person", async () => {
  const [ada, bea] = [await person(w, "student", "active"), await person(w, "student", "active")];
  await notifyAll(newNotification(ada, "approved:1"));
  await notifyAll(newNotification(ada, "approved:1"), newNotification(bea, "approved:1"));
  await Promise.all(Array.from({ length: 10 }, () => notifyAll(newNotification(ada, "approved:2"))));
  expect((await bellOf(ada)).entries).toHaveLength(2);
  expect((await bellOf(bea)).entries).toHaveLength(1);
  expect([await mailJobs(ada), await mailJobs(bea)]).toEqual([1, 1]);
});

test("a transaction that fails notifies nobody", async () => {
  const ada = await person(w, "student", "active");
  const failing = w.services.database.transaction(async (tx) => {
    await notify(w.services, tx, newNotification(ada, "approved:1"));
    throw new Error("something else failed");
  });
  await expect(failing).rejects.toThrow("something else failed");
  expect(await bellOf(ada)).toEqual({ entries: [], next: null });
  expect(await mailJobs(ada)).toBe(0);
});

test("entries can be marked as read only by their owner, and only up to the last one seen", async () => {
  const [ada, bea] = [await person(w, "student", "active"), await person(w, "student", "active")];
  await notifyAll(newNotification(ada, "a"));
  await notifyAll(newNotification(bea, "a"));
  await notifyAll(newNotification(ada, "b", { about: { document: "Passport" } }));
  const { entries } = await bellOf(ada);
  expect(entries).toEqual([
    {
      id: expect.any(Number),
      kind: "documentApproved",
      about: { document: "Passport" },
      path: "/student-documents",
      createdAt: expect.any(String),
      read: false,
    },
    expect.objectContaining({ about: { document: "CV" }, read: false }),
  ]);
  const [newest] = entries;
  const [ofBea] = (await bellOf(bea)).entries;
  await ada.caller.call("notifications.markRead", { ids: [newest?.id, ofBea?.id] });
  expect((await bellOf(ada)).entries.map(({ read }) => read)).toEqual([true, false]);
  await notifyAll(newNotification(ada, "c"));
  await ada.caller.call("notifications.markAllRead", { upTo: newest?.id });
  expect((await bellOf(ada)).entries.map(({ read }) => read)).toEqual([false, true, true]);
  await ada.caller.call("notifications.markAllRead", { upTo: (newest?.id ?? 0) + 1000 });
  expect(await unread(ada)).toEqual({ unread: 0 });
  expect(await unread(bea)).toEqual({ unread: 1 });
});

test("pages of 30 neither repeat nor miss entries; unread ones are counted up to 100", async () => {
  // This test has its own server, so that other tests' mails don't wait behind these.
  const own = await wayfare();
  const ada = await person(own, "student", "active");
  const many = Array.from({ length: 130 }, (_, at) => newNotification(ada, `event:${at}`));
  await own.services.database.transaction((tx) => notify(own.services, tx, ...many));
  expect(await unread(ada)).toEqual({ unread: mostUnread + 1 });
  const ids: number[] = [];
  let next: string | undefined;
  do {
    const page = await bellOf(ada, next);
    expect(page.entries.length).toBeLessThanOrEqual(30);
    ids.push(...page.entries.map(({ id }) => id));
    next = page.next ?? undefined;
  } while (next !== undefined);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
  expect(ids).toHaveLength(130);
  for (const cursor of ["", "x", "-1", "9".repeat(17), "1.5"])
    expect((await ada.caller.call("notifications.list", { cursor })).code).toBe("invalid-argument");
  await own.stop();
});

test("a kind that is switched off is not mailed until it is switched on, but shown by the bell", async () => {
  const ada = await person(w, "student", "active");
  const set = (kind: string, on: boolean) => ada.caller.call("notifications.setMailSwitch", { kind, on });
  const switches = async () => (await ada.caller.call("notifications.mailSwitches")).body;
  expect(await switches()).toEqual({
    switches: notificationKindsOf.student.map((kind) => ({ kind, on: true })),
  });
  const twice = await Promise.all([set("documentApproved", false), set("documentApproved", false)]);
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  expect(await switches()).toMatchObject({
    switches: expect.arrayContaining([{ kind: "documentApproved", on: false }]),
  });
  await notifyAll(newNotification(ada, "a"));
  const rejected = { document: "CV", reason: "blurred" };
  await notifyAll(newNotification(ada, "b", { kind: "documentRejected", about: rejected }));
  // The second mail leaves after the first one's job has run.
  await w.mail(ada.email, /upload it again/);
  await until(async () => {
    const { rows } = await w.services.database.pool.query(
      "select 1 from jobs.job where name = 'mail' and state in ('created', 'retry', 'active')",
    );
    return rows.length === 0;
  });
  expect(w.log.filter(({ to }) => to === ada.email).map(({ subject }) => subject)).toEqual([
    "CV: please upload it again",
  ]);
  expect((await bellOf(ada)).entries).toHaveLength(2);

  await set("documentApproved", true);
  await notifyAll(newNotification(ada, "c"));
  await w.mail(ada.email, /approved/);
  expect((await set("studentAssigned", false)).code).toBe("not-found");
});

test("staff are notified of any student's change; students and pending agents only of their own", async () => {
  const [ada, bea] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const [kofi, admin] = [await person(w, "agent", "approved"), await person(w, "admin", "active")];
  const pendingAgent = await person(w, "agent", "pending");
  const watching = [kofi, admin].map(({ caller }) => openStream(caller, "students"));
  const others = [bea, pendingAgent].map(({ caller }) => openStream(caller, "students,notifications"));
  const staff = await Promise.all(watching);
  const outside = await Promise.all(others);
  await w.services.database.transaction((tx) => broadcastDashboards(w.services, tx, "documents", ada.id));
  const event = { name: "students", data: "{}" };
  expect(await Promise.all(staff.map((stream) => stream.nextEvent()))).toEqual([event, event]);
  // The first event that the others receive is their own.
  await notifyAll(newNotification(bea, "own"), newNotification(pendingAgent, "own"));
  expect(await Promise.all(outside.map((stream) => stream.next()))).toEqual([
    "notifications",
    "notifications",
  ]);
  await Promise.all([...staff, ...outside].map((stream) => stream.leave()));
});

test("open pages are notified of new entries, entries read elsewhere, and changes of their dashboards", async () => {
  const [ada, bea] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const ofAda = await openStream(ada.caller, "notifications,dashboard");
  const ofBea = await openStream(bea.caller, "notifications,dashboard");
  await notifyAll(newNotification(ada, "a"));
  expect(await ofAda.next()).toBe("notifications");
  await w.services.database.transaction((tx) =>
    broadcastDashboards(w.services, tx, "shortlist", ada.id, null, ada.id),
  );
  expect(await ofAda.nextEvent()).toEqual({ name: "dashboard", data: '{"about":"shortlist"}' });
  // The first event that the other person receives is her own.
  await w.services.database.transaction((tx) => broadcastDashboards(w.services, tx, "profile", bea.id));
  expect(await ofBea.next()).toBe("dashboard");
  const [entry] = (await bellOf(ada)).entries;
  await ada.caller.call("notifications.markRead", { ids: [entry?.id] });
  expect(await ofAda.next()).toBe("notifications");
  await Promise.all([ofAda.leave(), ofBea.leave()]);
});

test("shows entries of other versions, except for unknown kinds", async () => {
  const ada = await person(w, "student", "active");
  const about = { program: "MSc Physics", state: "In review", former: "word" };
  await notifyAll(
    asNotification({ userId: ada.id, kind: "applicationMoved", eventKey: "old", about, ids: {}, path: "/" }),
  );
  await w.services.database.pool.query(
    `insert into notification (user_id, kind, event_key, about, path) values ($1, 'threadAnswered', 'new', '{}', '/')`,
    [ada.id],
  );
  const { entries } = await bellOf(ada);
  expect(entries).toMatchObject([{ kind: "applicationMoved", path: "/" }]);
  expect(entries[0]?.about).toEqual({ program: "MSc Physics", state: "In review" });
});
