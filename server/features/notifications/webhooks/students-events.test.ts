import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchDocument } from "#tests/api/document.ts";
import { verified } from "#tests/fakes/webhook-receiver.ts";
import { assign } from "#tests/support/applications.ts";
import { giveReason, guidedStudent, upload } from "#tests/support/documents.ts";
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

test("an admin's offer reaches the assigned agent's webhook once, with ids alone, beside the student's bell and mail", async () => {
  const of = await applicationAtUniversity(w);
  const hook = await TestWebhook.add(w, of.agent, ["offer.made"]);
  const others = await TestWebhook.add(w, undefined, ["offer.made"]);
  const bell = await bellOf(of.agent);
  const admin = await person(w, "admin", "active");
  expect((await of.save(admin, {}, { to: "conditionalOffer" })).status).toBe(200);

  const [message] = await received(hook.receiver, 1);
  if (!message) throw new Error("nothing came");
  expect(verified(hook.secret, message)).toEqual({
    type: "offer.made",
    timestamp: expect.any(String),
    data: { studentId: of.student.id, applicationId: of.id },
  });
  const { checkMessage } = await fetchDocument(w.app);
  expect(checkMessage(message)).toBeNull();
  expect(await types(hook)).toEqual(["offer.made"]);
  expect(await types(others)).toEqual([]);
  expect(await bellOf(of.agent)).toEqual(bell);
  expect(await bellOf(of.student)).toContain("offerMade");
  await w.mail(of.student.email, /offer/);
  await Promise.all([hook.receiver.close(), others.receiver.close()]);
});

test("an agent's own act on screen reaches their webhook, and a former agent's gets nothing more", async () => {
  const of = await applicationAtUniversity(w);
  const events = ["offer.made", "offer.changed", "application.moved"];
  const [successor, admin] = [await person(w, "agent", "approved"), await person(w, "admin", "active")];
  const [former, present] = [
    await TestWebhook.add(w, of.agent, events),
    await TestWebhook.add(w, successor, events),
  ];
  await of.save(of.agent, {}, { to: "conditionalOffer" });
  const own = await types(former);
  expect(own.toSorted()).toEqual(["application.moved", "offer.made"]);
  await assign(w, of.student, successor);
  expect((await of.save(admin, { startDate: "2099-10-01" })).status).toBe(200);
  expect(await types(present)).toEqual(["offer.changed"]);
  expect((await types(former)).toSorted()).toEqual(own.toSorted());
  await assign(w, of.student, null);
  expect((await of.save(admin, { startDate: "2099-10-02" })).status).toBe(200);
  expect(await types(present)).toEqual(["offer.changed"]);
  await Promise.all([former.receiver.close(), present.receiver.close()]);
});

test("an agent without the student's papers gets events about guidance, and none about papers", async () => {
  const { student, agent } = await guidedStudent(w);
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
