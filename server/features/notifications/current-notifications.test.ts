import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { confirmList, submittedApplication } from "#tests/support/applications.ts";
import { bid, endAt, product } from "#tests/support/auctions.ts";
import { textIn } from "#tests/support/caller.ts";
import { assignedStudent, upload, uploadHeaders } from "#tests/support/documents.ts";
import { fullProfile, type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { document } from "../documents/tables.ts";
import { notify } from "./commands.ts";
import { notificationMail } from "./mails.ts";
import { notification } from "./tables.ts";

let w: Wayfare;
let admin: Person;
beforeAll(async () => {
  w = await wayfare();
  admin = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const agent = () => person(w, "agent", "approved");
const student = () => person(w, "student", "active");

/** Writes a person's pending mails; returns their subjects, and the paragraphs between greeting and link. */
async function mailsTo(who: Person): Promise<{ subject: string; paragraphs: string[] }[]> {
  const entries = await w.services.database.db
    .selectDistinct({ mailId: notification.mailId })
    .from(notification)
    .where(eq(notification.userId, who.id));
  const mails = await Promise.all(
    entries.map(({ mailId }) => notificationMail.write(w.services, { mailId: mailId ?? "" })),
  );
  return mails.flatMap((mail) =>
    mail
      ? [
          {
            subject: mail.subject,
            paragraphs: mail.text.split("\n\n").filter((each) => /^(?!Hello|http|.*: http)/.test(each)),
          },
        ]
      : [],
  );
}
const subjectsTo = async (who: Person) => (await mailsTo(who)).map(({ subject }) => subject);

const assign = (who: Person, to: Person | null, from: Person | null = null) =>
  admin.caller.call("students.assign", {
    studentId: who.id,
    agentId: to?.id ?? null,
    expectedAgentId: from?.id ?? null,
  });
const decide = (what: "revoke" | "approve", who: Person) =>
  admin.caller.call(`agents.${what}`, { id: who.id });

describe("an email that is sent late says only what is still true", () => {
  test("a question that the student has answered isn't asked", async () => {
    const { student: zoe, agent: ravi, move } = await submittedApplication(w);
    await move(ravi, "inReview");
    await move(ravi, "informationRequired", "Which campus?");
    expect(await subjectsTo(zoe)).toEqual(["We need more information for MSc Data Science, Spring Intake"]);
    await move(zoe, "inReview", "Cork, please.");
    expect(await mailsTo(zoe)).toEqual([]);
    expect(await subjectsTo(ravi)).toEqual(['Ada Obi has answered: "Cork, please."']);
  });

  test("an agent who has acted on an application gets no email about earlier events", async () => {
    const { agent: ravi, move } = await submittedApplication(w);
    expect(await subjectsTo(ravi)).toEqual(["New application from Ada Obi: MSc Data Science, Spring Intake"]);
    await move(ravi, "inReview");
    expect(await mailsTo(ravi)).toEqual([]);
  });

  test("a student who was reassigned isn't announced to the first agent", async () => {
    const [kofi, ravi, lena] = [await student(), await agent(), await agent()];
    await assign(kofi, ravi);
    expect(await subjectsTo(ravi)).toEqual(["Ada Obi is now your student"]);
    await assign(kofi, lena, ravi);
    expect(await subjectsTo(ravi)).toEqual(["Ada Obi is no longer your student"]);
    expect(await subjectsTo(lena)).toEqual(["Ada Obi is now your student"]);
  });

  test("an agent who was revoked and approved again has no student, and isn't said to be gone", async () => {
    const [kofi, ravi] = [await student(), await agent()];
    await assign(kofi, ravi);
    await decide("revoke", ravi);
    expect((await mailsTo(admin)).flatMap(({ paragraphs }) => paragraphs).join()).toContain(
      "is no longer an agent",
    );
    await decide("approve", ravi);
    expect(await subjectsTo(ravi)).not.toContain("Ada Obi is now your student");
    expect(await mailsTo(admin)).toMatchObject([{ subject: "1 student needs a new agent" }]);
    expect((await mailsTo(admin)).flatMap(({ paragraphs }) => paragraphs).join()).not.toContain(
      "is no longer an agent",
    );
    await assign(kofi, ravi);
    expect(await subjectsTo(admin)).not.toContain("1 student needs a new agent");
    // The student has the same agent as before, and is mailed once.
    expect(await subjectsTo(kofi)).toEqual(["Ada Obi is now your agent"]);
  });

  test("a handover is announced with the current number of students", async () => {
    const [from, to, other] = [await agent(), await agent(), await agent()];
    const [kofi, zoe] = [await student(), await student()];
    for (const each of [kofi, zoe]) await assign(each, from);
    await admin.caller.call("students.handOver", { fromAgentId: from.id, toAgentId: to.id });
    expect(await subjectsTo(to)).toEqual(["You have 2 new students"]);
    await assign(kofi, other, to);
    await w.services.database.db.delete(notification).where(eq(notification.kind, "studentReassigned"));
    expect(await subjectsTo(to)).toEqual(["You have 1 new student"]);
  });

  test("a document that was reviewed or replaced meanwhile isn't announced", async () => {
    const [kofi, ravi] = [await student(), await agent()];
    await assign(kofi, ravi);
    const { db, transaction } = w.services.database;
    const file = {
      studentId: kofi.id,
      originalName: "cv.pdf",
      mediaType: "application/pdf",
      size: 1,
    } as const;
    await db.insert(document).values({ ...file, id: "cv", kind: "cv", storageKey: "cv", state: "rejected" });
    await transaction((tx) =>
      notify(
        w.services,
        tx,
        {
          userId: ravi.id,
          kind: "documentUploaded",
          eventKey: "uploaded",
          about: { student: "Ada Obi", document: "CV" },
          ids: { studentId: kofi.id, documentId: "cv" },
          path: "/manage-students",
        },
        {
          userId: kofi.id,
          kind: "documentRejected",
          eventKey: "rejected",
          about: { document: "CV", reason: "Too dark." },
          ids: { studentId: kofi.id, documentId: "cv" },
          path: "/student-documents",
        },
      ),
    );
    expect(await subjectsTo(ravi)).toEqual(["Ada Obi is now your student"]);
    expect(await subjectsTo(kofi)).toContain("CV: please upload it again");
    await db.update(document).set({ replacedAt: new Date() }).where(eq(document.id, "cv"));
    expect(await subjectsTo(kofi)).not.toContain("CV: please upload it again");
  });

  test("a bidder who leads again isn't asked to bid again", async () => {
    const [seller, ada, bea] = [await student(), await student(), await student()];
    const id = await product(w, seller);
    expect((await bid(ada.caller, id, 150)).code).toBeNull();
    expect((await bid(bea.caller, id, 200)).code).toBeNull();
    const { db } = w.services.database;
    await until(async () => (await db.$count(notification, eq(notification.userId, ada.id))) > 0);
    expect(await subjectsTo(ada)).toEqual(["You've been outbid on Walnut writing desk"]);
    await bid(ada.caller, id, 300);
    expect(await mailsTo(ada)).toEqual([]);
  });

  test("a seller who has answered a question isn't mailed about it", async () => {
    const [seller, ada] = [await student(), await student()];
    const id = await product(w, seller);
    const ask = async (text: string) =>
      textIn((await ada.caller.call("auctions.ask", { productId: id, text })).body, "id");
    const questionId = await ask("Does it fold?");
    await ask("Is it heavy?");
    expect(await subjectsTo(seller)).toEqual(["2 questions about your items"]);
    await seller.caller.call("auctions.answer", { questionId, answer: "Yes." });
    expect(await subjectsTo(seller)).toEqual(["A question about Walnut writing desk"]);
    await endAt(w, id, new Date(Date.now() - 1000));
    expect(await mailsTo(seller)).toEqual([]);
  });

  test("a list that has changed since its confirmation isn't said to be confirmed", async () => {
    const { student: zoe, agent: ravi, id, move } = await submittedApplication(w);
    await move(ravi, "inReview");
    await upload(zoe);
    await confirmList(w, zoe, ravi, id);
    const confirmed = "Ada Obi has confirmed what will be sent for MSc Data Science, Spring Intake";
    expect(await subjectsTo(ravi)).toContain(confirmed);
    await upload(zoe, { bytes: new Uint8Array(pdf(9000)) });
    expect(await subjectsTo(ravi)).not.toContain(confirmed);
    await confirmList(w, zoe, ravi, id);
    expect(await subjectsTo(ravi)).toContain(confirmed);
    await assign(zoe, await agent(), ravi);
    expect(await subjectsTo(ravi)).not.toContain(confirmed);
  });

  test("a student isn't asked to confirm the list of an application that was sent already", async () => {
    const { student: zoe, agent: ravi, id, move } = await submittedApplication(w);
    await move(ravi, "inReview");
    await ravi.caller.api.applications.askConfirmation({ applicationId: id });
    const request = "Please confirm what we'll send for MSc Data Science, Spring Intake";
    expect(await subjectsTo(zoe)).toContain(request);
    await zoe.caller.api.notifications.markAllRead({ upTo: Number.MAX_SAFE_INTEGER });
    await move(admin, "sentToUniversity", "She confirmed on paper.");
    expect(await subjectsTo(zoe)).not.toContain(request);
  });

  test("a student isn't mailed about entries that they have replaced since", async () => {
    const { student: zoe, agent: ravi } = await assignedStudent(w);
    const save = (city: string, version: number) => ({ version, profile: { ...fullProfile, city } });
    await zoe.caller.call("profile.save", save("Lagos", 0));
    await ravi.caller.call("profile.saveForStudent", { studentId: zoe.id, ...save("Cork", 1) });
    const send = async (path: string) => {
      const headers = uploadHeaders("paper.pdf");
      const body = new Uint8Array(pdf());
      expect((await ravi.caller.request(path, { method: "POST", headers, body })).status).toBe(200);
    };
    await send(`/files/students/${zoe.id}/documents/cv`);
    const requests = [{ kind: "other", name: "Bank statement", reason: "" }];
    const answer = await ravi.caller.call("planner.askFor", { studentId: zoe.id, requests });
    const [requestId = ""] = (answer.body as { ids: string[] }).ids;
    await send(`/files/requests/${requestId}`);
    expect(await subjectsTo(zoe)).toContain("3 things were entered for you");
    await upload(zoe, { bytes: new Uint8Array(pdf(9000)) });
    expect(await subjectsTo(zoe)).toContain("2 things were entered for you");
    const decision = { requestId, version: 2, decision: "sentBack", note: "Another one, please." };
    expect((await ravi.caller.call("planner.decideRequest", decision)).status).toBe(200);
    expect(await subjectsTo(zoe)).toContain("Ada Obi filled in your profile for you");
    await zoe.caller.call("profile.save", save("Galway", 2));
    expect((await mailsTo(zoe)).flatMap(({ paragraphs }) => paragraphs).join()).not.toContain("for you");
  });

  test("an agent who has lost the student isn't mailed about their sharing", async () => {
    const { student: zoe, agent: ravi } = await assignedStudent(w);
    await zoe.caller.call("students.setSharing", { shares: false });
    expect(await subjectsTo(ravi)).toEqual(["Ada Obi has stopped sharing their papers with you"]);
    await assign(zoe, null, ravi);
    expect(await subjectsTo(ravi)).toEqual(["Ada Obi is no longer your student"]);
  });

  test("an agent without students, or who has stayed, isn't said to be leaving", async () => {
    const leaving = async () =>
      (await subjectsTo(admin)).filter((subject) => subject.includes("is closing their account")).length;
    const [{ agent: ravi, student: zoe }, { agent: lena }] = [
      await assignedStudent(w),
      await assignedStudent(w),
    ];
    for (const { caller } of [ravi, lena]) await caller.call("account.requestDeletion");
    expect(await leaving()).toBe(2);
    await assign(zoe, await agent(), ravi);
    expect(await leaving()).toBe(1);
    await w.services.database.db.update(user).set({ status: "approved" }).where(eq(user.id, lena.id));
    expect(await leaving()).toBe(0);
  });
});
