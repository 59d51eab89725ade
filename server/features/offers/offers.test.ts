import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { audit } from "#server/features/audit/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { stepsOf } from "#tests/support/applications.ts";
import { assign } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { applicationAtUniversity, conditionalOffer, offerForm } from "#tests/support/offers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const notificationsFor = async (recipient: Person, kind: string) =>
  await w.services.database.db
    .select({ kind: notification.kind, about: notification.about })
    .from(notification)
    .where(and(eq(notification.userId, recipient.id), eq(notification.kind, kind as "offerMade")));

describe("an offer", () => {
  test("notifies its student in both time zones, and says what happens after the deadline", async () => {
    const { student, agent, save } = await applicationAtUniversity(w);
    await student.caller.call("planner.setTimeZone", { timeZone: "Asia/Kolkata" });
    await save(agent, {}, { to: "conditionalOffer" });
    expect((await notificationsFor(student, "offerMade"))[0]?.about["summary"]).toContain(
      "Reply by 17:00 on 12 August 2099 in London; 21:30 your time. Not taken after this.",
    );
  });

  test("is saved together with the step to its state, and is one notification", async () => {
    const { student, agent, id, save, seen } = await applicationAtUniversity(w);
    expect((await save(agent, {}, { to: "conditionalOffer", note: "Well done!" })).body).toEqual({
      done: true,
    });
    expect(await seen()).toMatchObject({
      mover: "student",
      state: "conditionalOffer",
      offer: {
        conditions: [
          { text: "IELTS 6.5 overall", kind: "score", state: "open", due: { date: "2099-06-01" } },
          { text: "Final transcript" },
          { text: "Application fee" },
        ],
        // British summer time.
        replyBy: { date: "2099-08-12", time: "17:00", at: "2099-08-12T16:00:00.000Z" },
        deposit: { amount: 400_000, currency: "GBP" },
        startDate: "2099-09-20",
        rank: null,
        letter: null,
      },
    });
    expect((await stepsOf(student, id)).slice(0, 2)).toMatchObject([
      {
        from: "conditionalOffer",
        to: "conditionalOffer",
        note: "Offer entered. 3 conditions. Reply by 17:00 on 12 August 2099 in London. Not taken after this. Deposit: GBP\u00a04,000.00.",
      },
      { from: "sentToUniversity", to: "conditionalOffer", note: "Well done!" },
    ]);
    expect(await notificationsFor(student, "offerMade")).toHaveLength(1);
    expect(await notificationsFor(student, "applicationMoved")).toEqual([]);
    await w.mail(student.email, /^You have a conditional offer for MSc Data Science, Spring Intake/);
  });

  test("that is invalid rolls back its step", async () => {
    const { agent, save, current } = await applicationAtUniversity(w);
    const answer = await save(agent, { startDate: "soon" }, { to: "conditionalOffer" });
    expect(answer).toMatchObject({ code: "form/incomplete" });
    expect((await current())?.state).toBe("sentToUniversity");
  });

  test("can be entered after the step, and each change is on the timeline", async () => {
    const { student, agent, id, move, save, seen } = await applicationAtUniversity(w);
    await move(agent, "conditionalOffer");
    expect((await seen()).offer).toBeNull();
    await save(agent);
    const { offer } = await seen();
    const [, ...others] = offer?.conditions ?? [];
    const conditions = others.map(({ id, text, kind, due }) => ({ id, text, kind, due }));
    await save(boss, { conditions, deposit: null });
    expect((await stepsOf(student, id))[0]).toMatchObject({
      note: "Offer changed: conditions, deposit.",
      by: { role: "admin" },
    });
    expect((await seen()).offer).toMatchObject({ deposit: null, conditions: [{ id: others[0]?.id }, {}] });
    expect((await notificationsFor(student, "offerChanged"))[0]?.about).toMatchObject({
      changes: "conditions, deposit",
    });
  });

  test("that is saved unchanged writes nothing and notifies nobody", async () => {
    const { student, agent, save, seen, version } = await conditionalOffer(w);
    const before = await version();
    const conditions = (await seen()).offer?.conditions.map(({ id, text, kind, due }) => ({
      id,
      text,
      kind,
      due,
    }));
    await save(agent, { conditions });
    expect(await version()).toBe(before);
    expect(await notificationsFor(student, "offerChanged")).toEqual([]);
  });

  test("is refused unless the application's state allows it and the agent saw the current version", async () => {
    const { agent, id, save, current } = await applicationAtUniversity(w);
    expect((await save(agent)).code).toBe("failed-precondition");
    await save(agent, {}, { to: "unconditionalOffer" });
    const stale = { applicationId: id, version: (await current())?.version, offer: offerForm };
    await save(agent, { conditions: [] });
    expect((await agent.caller.call("offers.save", stale)).code).toBe("failed-precondition");
  });

  test("can't take over a condition of another offer", async () => {
    const [one, two] = [await conditionalOffer(w), await conditionalOffer(w)];
    const conditions = [{ id: await two.condition(0), text: "Mine now", kind: "other" }];
    expect((await one.save(one.agent, { conditions })).code).toBe("failed-precondition");
    expect((await two.seen()).offer?.conditions[0]).toMatchObject({ text: "IELTS 6.5 overall" });
  });

  test("is not found for everyone else, even an agent who may follow the application", async () => {
    const { id, condition } = await conditionalOffer(w);
    const conditionId = await condition(0);
    for (const stranger of [await person(w, "agent", "approved"), await person(w, "student", "active")]) {
      const answer = await stranger.caller.call("offers.ofApplication", { applicationId: id });
      expect(answer.code).toBe("not-found");
    }
    const stranger = await person(w, "agent", "approved");
    const input = { applicationId: id, version: 1, to: "unconditionalOffer", offer: offerForm };
    expect((await stranger.caller.call("offers.save", input)).code).toBe("not-found");
    const mark = { conditionId, seen: "open", mark: "met" };
    expect((await stranger.caller.call("offers.mark", mark)).code).toBe("not-found");
  });
});

describe("a condition", () => {
  test("is claimed, sent back, claimed again and met, with a notification each time", async () => {
    const { student, agent, id, condition, seen } = await conditionalOffer(w);
    const conditionId = await condition(0);
    const states = async () => (await seen()).offer?.conditions.map(({ state }) => state);
    const claim = (text: string) => student.caller.call("offers.claim", { conditionId, text });
    const mark = (mark: string, before: string, reason = "") =>
      agent.caller.call("offers.mark", { conditionId, seen: before, mark, reason });
    expect((await claim(" I got 7.0. ")).body).toEqual({ done: true });
    expect((await notificationsFor(agent, "conditionClaimed"))[0]?.about).toMatchObject({
      condition: "IELTS 6.5 overall",
      claim: "I got 7.0.",
    });
    expect((await claim("again")).code).toBe("failed-precondition");
    expect(await mark("open", "claimed")).toMatchObject({ message: "Please enter a reason." });
    await mark("open", "claimed", "Please upload the certificate.");
    expect((await seen()).offer?.conditions[0]).toMatchObject({
      state: "open",
      claim: "I got 7.0.",
      reason: "Please upload the certificate.",
    });
    await claim("Done.");
    await mark("met", "claimed");
    expect(await states()).toEqual(["met", "open", "open"]);
    expect((await notificationsFor(student, "conditionMarked"))[0]?.about).toMatchObject({ state: "met" });
    const { db } = w.services.database;
    const entries = await db.select().from(audit).where(eq(audit.actorId, agent.id));
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: "condition-marked",
        subjectId: student.id,
        detail: { application: id, condition: conditionId, outcome: "met" },
      }),
    );
  });

  test("notifies admins of a claim while no agent is assigned", async () => {
    const { student, agent, condition } = await conditionalOffer(w);
    const conditionId = await condition(1);
    await assign(w, student.id, null);
    await student.caller.call("offers.claim", { conditionId, text: "" });
    expect(await notificationsFor(boss, "conditionClaimed")).toMatchObject([
      { about: { condition: "Final transcript" } },
    ]);
    expect(await notificationsFor(agent, "conditionClaimed")).toEqual([]);
  });

  test("notifies the agent that the next step is possible when it is the last to be settled", async () => {
    const { agent, condition } = await conditionalOffer(w);
    for (const place of [0, 1, 2]) {
      expect(await notificationsFor(agent, "offerReady")).toEqual([]);
      const input = {
        conditionId: await condition(place),
        seen: "open",
        mark: "waived",
        reason: "Not needed.",
      };
      await boss.caller.call("offers.mark", input);
    }
    expect(await notificationsFor(agent, "offerReady")).toHaveLength(1);
  });

  test("can't be changed once it was claimed", async () => {
    const { student, agent, condition, save, seen } = await conditionalOffer(w);
    await student.caller.call("offers.claim", { conditionId: await condition(0), text: "" });
    expect((await save(agent)).code).toBe("failed-precondition");
    const rows =
      (await seen()).offer?.conditions.map(({ id, text, kind, due }) => ({ id, text, kind, due })) ?? [];
    expect((await save(agent, { conditions: rows.slice(1) })).code).toBe("failed-precondition");
    expect((await save(agent, { conditions: rows.slice(0, 1) })).body).toEqual({ done: true });
  });

  test("is marked only once when several people mark it concurrently on two nodes", async () => {
    const { agent, student, condition } = await conditionalOffer(w);
    const conditionId = await condition(0);
    const other = await wayfare({ on: w.address });
    const onOther = await person(other, "admin", "active");
    const input = { conditionId, seen: "open", reason: "Enough." };
    const answers = await Promise.all([
      agent.caller.call("offers.mark", { ...input, mark: "met" }),
      onOther.caller.call("offers.mark", { ...input, mark: "waived" }),
      boss.caller.call("offers.mark", { ...input, mark: "met" }),
    ]);
    expect(answers.map(({ code }) => code ?? "done").toSorted()).toEqual([
      "done",
      "failed-precondition",
      "failed-precondition",
    ]);
    await other.stop();
    expect(await notificationsFor(student, "conditionMarked")).toHaveLength(1);
  });
});
