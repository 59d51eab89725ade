import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { maxItemsInMail } from "#domain/digest.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person, signUpForm } from "#tests/support/factories.ts";
import { asNotification, type NotificationInput } from "#tests/support/notification-input.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { notify } from "./commands.ts";
import { notificationMail } from "./mails.ts";
import { notification } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const student = () => person(w, "student", "active");
const notifyAll = (...all: NotificationInput[]) =>
  w.services.database.transaction((tx) => notify(w.services, tx, ...all.map(asNotification)));

const reviewed = (
  who: Person,
  document: string,
  changes: Partial<NotificationInput> = {},
): NotificationInput => ({
  userId: who.id,
  kind: "documentApproved",
  eventKey: `approved:${document}`,
  topic: `document:${document}`,
  about: { document },
  ids: {},
  path: "/student-documents",
  ...changes,
});
const outbid = (who: Person, price: string, changes: Partial<NotificationInput> = {}): NotificationInput => ({
  userId: who.id,
  kind: "outbid",
  eventKey: `outbid:${price}`,
  topic: "outbid:desk",
  about: { product: "Desk", price },
  ids: {},
  path: "/product/desk",
  ...changes,
});

/** Reads the bell's entries from the database, oldest first. */
const entriesOf = (who: Person) =>
  w.services.database.db
    .select()
    .from(notification)
    .where(eq(notification.userId, who.id))
    .orderBy(notification.id);

/** Lists the jobs for mails to a person, with the seconds until each. */
async function mailJobs(who: Person): Promise<{ mailId: string; seconds: number }[]> {
  const { rows } = await w.services.database.pool.query<{ mailId: string; seconds: number }>(
    `select distinct job.data->'data'->>'mailId' as "mailId",
       extract(epoch from job.start_after - job.created_on)::int as seconds
     from jobs.job join notification on notification.mail_id = (job.data->'data'->>'mailId')::uuid
     where notification.user_id = $1`,
    [who.id],
  );
  return rows;
}

async function mailsTo(who: Person) {
  const jobs = await mailJobs(who);
  return await Promise.all(jobs.map((job) => notificationMail.write(w.services, job)));
}
const paragraphs = (mail: { text: string } | null | undefined) => mail?.text.split("\n\n") ?? [];

describe("in the bell", () => {
  test("the latest entry of a topic replaces its unread ones, and comes first", async () => {
    const ada = await student();
    await notifyAll(outbid(ada, "R100.00"));
    await notifyAll(reviewed(ada, "CV"));
    await notifyAll(outbid(ada, "R200.00"));
    const entries = await entriesOf(ada);
    expect(entries.map(({ about }) => about["price"] ?? about["document"])).toEqual(["CV", "R200.00"]);
  });

  test("a read entry stays, and so do another person's and another topic's", async () => {
    const [ada, bea] = [await student(), await student()];
    await notifyAll(outbid(ada, "R100.00"), outbid(bea, "R100.00"));
    await ada.caller.call("notifications.markRead", { ids: (await entriesOf(ada)).map(({ id }) => id) });
    await notifyAll(outbid(ada, "R200.00"));
    await notifyAll(outbid(ada, "R9.00", { topic: "outbid:lamp" }));
    expect((await entriesOf(ada)).map(({ about }) => about["price"])).toEqual([
      "R100.00",
      "R200.00",
      "R9.00",
    ]);
    expect(await entriesOf(bea)).toHaveLength(1);
  });

  test("an outdated entry on a page can't mark its replacement as read", async () => {
    const ada = await student();
    await notifyAll(outbid(ada, "R100.00"));
    const [entry] = await entriesOf(ada);
    await notifyAll(outbid(ada, "R200.00"));
    await ada.caller.call("notifications.markRead", { ids: [entry?.id] });
    expect(await entriesOf(ada)).toMatchObject([{ about: { price: "R200.00" }, readAt: null }]);
  });
});

describe("by mail", () => {
  test("six reviews within some minutes are one mail, which names each document once", async () => {
    const ada = await student();
    for (const document of ["Transcript", "CV", "Passport", "Statement of purpose", "Recommendation 1"])
      await notifyAll(reviewed(ada, document));
    const rejected = { document: "CV", reason: "Too dark." };
    await notifyAll(
      reviewed(ada, "CV", { kind: "documentRejected", eventKey: "rejected:CV", about: rejected }),
    );
    expect(await mailJobs(ada)).toEqual([{ mailId: expect.any(String), seconds: 600 }]);
    const [mail] = await mailsTo(ada);
    expect(mail).toMatchObject({
      to: ada.email,
      subject: "5 of your documents have been reviewed",
      link: `${w.environment.baseUrl}/student-documents`,
    });
    expect(paragraphs(mail).slice(0, 6)).toEqual([
      "Hello Ada,",
      "Transcript: approved.",
      "Passport: approved.",
      "Statement of purpose: approved.",
      "Recommendation 1: approved.",
      "CV: please upload it again. It was rejected. Reason: Too dark.",
    ]);
  });

  test("ten concurrent reviews are one mail, which is sent automatically once it is due", async () => {
    const ada = await student();
    await Promise.all(Array.from({ length: 10 }, (_, at) => notifyAll(reviewed(ada, `File ${at}`))));
    expect(await mailJobs(ada)).toHaveLength(1);
    await w.mail(ada.email, /^10 of your documents/);
  });

  test("a notification after a mail was written starts another mail; a retry has the same content as before", async () => {
    const ada = await student();
    await notifyAll(reviewed(ada, "CV"));
    const [first] = await mailJobs(ada);
    const mail = await notificationMail.write(w.services, { mailId: first?.mailId ?? "" });
    await notifyAll(reviewed(ada, "Passport"));
    expect(await notificationMail.write(w.services, { mailId: first?.mailId ?? "" })).toEqual(mail);
    expect(mail?.subject).toBe("CV: approved");
    expect(new Set((await mailsTo(ada)).map((each) => each?.subject))).toEqual(
      new Set(["CV: approved", "Passport: approved"]),
    );
  });

  test("a mail that is about to be written waits for notifications that join it", async () => {
    const ada = await student();
    await notifyAll(reviewed(ada, "CV"));
    const [job] = await mailJobs(ada);
    let mail: ReturnType<typeof notificationMail.write> | undefined;
    await w.services.database.transaction(async (tx) => {
      await notify(w.services, tx, asNotification(reviewed(ada, "Passport")));
      mail = notificationMail.write(w.services, { mailId: job?.mailId ?? "" });
      await untilWaiting();
    });
    expect((await mail)?.subject).toBe("2 of your documents have been reviewed");
    expect(await mailJobs(ada)).toHaveLength(1);
  });

  test("a price that rises before the mail is sent is in the mail", async () => {
    const ada = await student();
    await notifyAll(outbid(ada, "R100.00"));
    await notifyAll(outbid(ada, "R200.00", { mail: false }));
    const [mail, ...others] = await mailsTo(ada);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("You've been outbid on Desk");
    expect(paragraphs(mail)[1]).toBe("You've been outbid on Desk. The price is now R200.00.");
    expect(paragraphs(mail)[2]).toMatch(/^Bid again: http.*\/product\/desk$/);
  });

  test("spells out only some of very many notifications", async () => {
    const ada = await student();
    await notifyAll(...Array.from({ length: maxItemsInMail + 7 }, (_, at) => reviewed(ada, `File ${at}`)));
    const [mail] = await mailsTo(ada);
    expect(paragraphs(mail)).toContain(`File ${maxItemsInMail - 1}: approved.`);
    expect(paragraphs(mail)).not.toContain(`File ${maxItemsInMail}: approved.`);
    expect(paragraphs(mail)).toContain("And 7 more.");
  });

  test("one kind of a digest that is switched off is left out", async () => {
    const ada = await student();
    await ada.caller.call("notifications.setMailSwitch", { kind: "documentApproved", on: false });
    await notifyAll(reviewed(ada, "CV"), reviewed(ada, "Passport", { kind: "documentRejected" }));
    const [mail] = await mailsTo(ada);
    expect(mail?.subject).toBe("Passport: please upload it again");
  });

  test("a person without a first name is greeted without one", async () => {
    const ada = await student();
    await w.services.database.db.update(user).set({ firstName: "" }).where(eq(user.id, ada.id));
    await notifyAll(reviewed(ada, "CV"));
    const [mail] = await mailsTo(ada);
    expect(paragraphs(mail)[0]).toBe("Hello,");
  });

  test("an agent's note to a student is in the mail", async () => {
    const ada = await student();
    const about = { program: "MSc Physics", state: "informationRequired", note: "Please send your CV." };
    await notifyAll({
      userId: ada.id,
      kind: "applicationMoved",
      eventKey: "moved",
      about,
      ids: {},
      path: "/application",
    });
    const [mail] = await mailsTo(ada);
    expect(mail?.subject).toBe("We need more information for MSc Physics");
    expect(paragraphs(mail)[1]).toBe("We need more information for MSc Physics. Note: Please send your CV.");
  });
});

/** Waits until a statement waits for another transaction to end. */
async function untilWaiting(): Promise<void> {
  for (;;) {
    const { rows } = await w.services.database.pool.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%open_digest%'",
    );
    if (rows.length > 0) return;
  }
}

describe("agents who apply", () => {
  test("appear in every admin's bell immediately, and in one mail an hour with all who still wait", async () => {
    const own = await wayfare();
    const admin = await person(own, "admin", "active");
    const [marco, lena, zoe] = [
      { firstName: "Marco", lastName: "Rossi", agency: "North Star" },
      { firstName: "Lena", lastName: "Voss", agency: "Voss & Co" },
      { firstName: "Zoe", lastName: "Adams", agency: "Far Shores" },
    ].map((names) => signUpForm({ role: "agent", ...names }));
    for (const form of [marco, lena, zoe]) await new Caller(own.app).call("account.signUp", form);
    await new Caller(own.app).call("account.signUp", signUpForm());
    expect((await admin.caller.call("notifications.list", {})).body).toMatchObject({
      entries: [
        {
          kind: "agentApplied",
          about: { agent: "Zoe Adams", agency: "Far Shores" },
          path: "/admin-dashboard",
        },
        { about: { agent: "Lena Voss" } },
        { about: { agent: "Marco Rossi" } },
      ],
    });
    const [agent] = await own.services.database.db
      .select({ id: user.id })
      .from(user)
      .where(eq(user.email, lena?.email ?? ""));
    expect((await admin.caller.call("agents.deny", { id: agent?.id })).status).toBe(200);
    expect((await admin.caller.call("notifications.list", {})).body).toMatchObject({
      entries: [{ about: { agent: "Zoe Adams" } }, { about: { agent: "Marco Rossi" } }],
    });
    const { rows } = await own.services.database.pool.query<{
      data: { data: { mailId: string } };
      seconds: number;
    }>(
      `select data, extract(epoch from start_after - created_on)::int as seconds from jobs.job
       where data->>'mail' = 'notification'`,
    );
    expect(rows.map(({ seconds }) => seconds)).toEqual([3600]);
    const mail = await notificationMail.write(own.services, rows[0]?.data.data ?? { mailId: "" });
    expect(mail?.subject).toBe("2 agents are waiting for approval");
    expect(paragraphs(mail).slice(1, 3)).toEqual([
      "Marco Rossi (North Star) has applied as an agent.",
      "Zoe Adams (Far Shores) has applied as an agent.",
    ]);
    await own.stop();
  });
});
