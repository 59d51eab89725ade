import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchDocument } from "#tests/api/document.ts";
import { verified } from "#tests/fakes/webhook-receiver.ts";
import { assign } from "#tests/support/applications.ts";
import { assignedStudent, giveReason, upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { applicationAtUniversity } from "#tests/support/offers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { received, TestWebhook } from "#tests/support/webhooks.ts";
import { notification } from "../tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { WEBHOOKS_ALLOW_PRIVATE: "on" } });
});
afterAll(() => w.stop());

const types = async (hook: TestWebhook) => (await hook.deliveries()).map(({ type }) => type);

const bellOf = async ({ id }: { id: string }) => {
  const rows = await w.services.database.db
    .select({ kind: notification.kind })
    .from(notification)
    .where(eq(notification.userId, id));
  return rows.map(({ kind }) => kind);
};

test("an admin's offer reaches the assigned agent's webhook once, with ids alone, in addition to the student's bell and mail", async () => {
  const application = await applicationAtUniversity(w);
  const hook = await TestWebhook.add(w, application.agent, ["offer.made"]);
  const others = await TestWebhook.add(w, undefined, ["offer.made"]);
  const bell = await bellOf(application.agent);
  const admin = await person(w, "admin", "active");
  expect((await application.save(admin, {}, { to: "conditionalOffer" })).status).toBe(200);

  const [message] = await received(hook.receiver, 1);
  if (!message) throw new Error("nothing came");
  expect(verified(hook.secret, message)).toEqual({
    type: "offer.made",
    timestamp: expect.any(String),
    data: { studentId: application.student.id, applicationId: application.id },
  });
  const { checkMessage } = await fetchDocument(w.app);
  expect(checkMessage(message)).toBeNull();
  expect(await types(hook)).toEqual(["offer.made"]);
  expect(await types(others)).toEqual([]);
  expect(await bellOf(application.agent)).toEqual(bell);
  expect(await bellOf(application.student)).toContain("offerMade");
  await w.mail(application.student.email, /offer/);
  await Promise.all([hook.receiver.close(), others.receiver.close()]);
});

test("an agent's own change reaches their webhook, and a former agent's webhook gets nothing more", async () => {
  const application = await applicationAtUniversity(w);
  const events = ["offer.made", "offer.changed", "application.moved"];
  const [successor, admin] = [await person(w, "agent", "approved"), await person(w, "admin", "active")];
  const [former, current] = [
    await TestWebhook.add(w, application.agent, events),
    await TestWebhook.add(w, successor, events),
  ];
  await application.save(application.agent, {}, { to: "conditionalOffer" });
  const own = await types(former);
  expect(own.toSorted()).toEqual(["application.moved", "offer.made"]);
  await assign(w, application.student, successor);
  expect((await application.save(admin, { startDate: "2099-10-01" })).status).toBe(200);
  expect(await types(current)).toEqual(["offer.changed"]);
  expect((await types(former)).toSorted()).toEqual(own.toSorted());
  await assign(w, application.student, null);
  expect((await application.save(admin, { startDate: "2099-10-02" })).status).toBe(200);
  expect(await types(current)).toEqual(["offer.changed"]);
  await Promise.all([former.receiver.close(), current.receiver.close()]);
});

test("an agent without the student's papers gets events about guidance, and none about papers", async () => {
  const { student, agent } = await assignedStudent(w);
  const admin = await person(w, "admin", "active");
  const hook = await TestWebhook.add(w, agent, ["document.approved", "task.given"]);
  await giveReason(admin, student.id);
  const approve = async () => {
    const { id: documentId } = await upload(student);
    const review = { documentId, kind: "cv", decision: "approved", seen: "uploaded", reason: "" };
    expect((await admin.caller.call("documents.review", review)).status).toBe(200);
  };
  await approve();
  expect(await types(hook)).toEqual(["document.approved"]);
  await student.caller.api.students.setSharing({ shares: false });
  await approve();
  expect(await types(hook)).toEqual(["document.approved"]);
  const task = { studentId: student.id, owner: "student", title: "Sit the test", text: "", due: null };
  expect((await admin.caller.call("planner.addTask", task)).status).toBe(200);
  expect((await types(hook)).toSorted()).toEqual(["document.approved", "task.given"]);
  await student.caller.api.students.setSharing({ shares: true });
  await approve();
  expect((await types(hook)).toSorted()).toEqual(["document.approved", "document.approved", "task.given"]);
  await hook.receiver.close();
});
