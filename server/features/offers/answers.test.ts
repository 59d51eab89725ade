import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { confirmList, mine } from "#tests/support/applications.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { applicationAtUniversity, conditionalOffer, offerFor, offerForm } from "#tests/support/offers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

describe("the student", () => {
  test("declines the offer that they saw, which withdraws the application for that reason", async () => {
    const { student, agent, id, version, save, current } = await conditionalOffer(w);
    const before = await version();
    await save(agent, { conditions: [] });
    const decline = (version: number) =>
      student.caller.call("offers.decline", { applicationId: id, version });
    expect((await decline(before)).code).toBe("failed-precondition");
    expect((await decline(await version())).body).toEqual({ done: true });
    expect(await current()).toMatchObject({ state: "withdrawn", note: "Declined the offer" });
    await w.mail(agent.email, /^Ada Obi has declined the offer for MSc Data Science/);
    expect((await save(agent)).code).toBe("failed-precondition");
  });

  test("declines while the agent changes the offer, and only one of the two succeeds", async () => {
    for (let round = 0; round < 4; round++) {
      const { student, agent, id, version, save, current } = await conditionalOffer(w);
      const before = await version();
      const [declined, saved] = await Promise.all([
        student.caller.call("offers.decline", { applicationId: id, version: before }),
        save(agent, { conditions: [], deposit: null }),
      ]);
      expect([declined.code, saved.code].filter((code) => code === "failed-precondition")).toHaveLength(1);
      expect((await current())?.state).toBe(declined.code === null ? "withdrawn" : "conditionalOffer");
    }
  });

  test("can only accept an offer in the version that they saw", async () => {
    const { student, agent, save, move, version } = await applicationAtUniversity(w);
    await save(agent, {}, { to: "unconditionalOffer" });
    const before = await version();
    await save(agent, { conditions: [], deposit: { amount: 800_000, currency: "GBP" } });
    expect((await move(student, "accepted", "", before)).code).toBe("failed-precondition");
    expect((await move(student, "accepted")).body).toEqual({ done: true });
  });

  test("gives each rank to at most one of their open offers", async () => {
    const { student, agent, id } = await conditionalOffer(w);
    const second = await student.caller.call("applications.submit", {
      program: "MA Service Design",
      highestStudyLevel: "Postgraduate",
      country: ["GB"],
      startDate: "Spring Intake (January)",
      additionalInfo: "",
    });
    const otherId = (second.body as { id: string }).id;
    const rank = (applicationId: string, rank: string | null) =>
      student.caller.call("offers.rank", { applicationId, rank });
    expect((await rank(otherId, "first")).code).toBe("failed-precondition");
    for (const to of ["inReview", "sentToUniversity"]) {
      if (to === "sentToUniversity") await confirmList(w, student, agent, otherId);
      const version = (await mine(student)).find((each) => each.id === otherId)?.version;
      await agent.caller.call("applications.move", { applicationId: otherId, version, to, note: "" });
    }
    const version = (await mine(student)).find((each) => each.id === otherId)?.version;
    const input = { applicationId: otherId, version, to: "unconditionalOffer", offer: offerForm };
    await agent.caller.call("offers.save", input);
    await rank(id, "first");
    await rank(otherId, "first");
    const ranks = async () =>
      await Promise.all([id, otherId].map(async (each) => (await offerFor(student, each)).offer?.rank));
    expect(await ranks()).toEqual([null, "first"]);
    await Promise.all([rank(id, "reserve"), rank(otherId, "reserve")]);
    expect((await ranks()).filter((each) => each === "reserve")).toHaveLength(1);
  });

  test("sees the offer that needs their action on the dashboard, with the next condition", async () => {
    const { student, condition, id } = await conditionalOffer(w);
    const dashboard = async () => (await student.caller.call("students.dashboard")).body;
    expect(await dashboard()).toMatchObject({
      offer: { id, openConditions: 3, nextCondition: { text: "IELTS 6.5 overall" } },
    });
    for (const place of [0, 1, 2])
      await student.caller.call("offers.claim", { conditionId: await condition(place), text: "" });
    expect(await dashboard()).toMatchObject({ offer: null });
  });
});

test("open offers are listed by their reply-by date: an agent's own, and all for admins", async () => {
  const agent = await person(w, "agent", "approved");
  const date = (day: string) => ({ replyBy: { ...offerForm.replyBy, date: day } });
  const offers = [];
  for (const changes of [date("2098-05-01"), { replyBy: null }, date("2020-05-01")]) {
    const opened = await conditionalOffer(w, changes);
    await boss.caller.call("students.assign", {
      studentId: opened.student.id,
      agentId: agent.id,
      expectedAgentId: opened.agent.id,
    });
    offers.push(opened);
  }
  const [later, never, past] = offers.map(({ id }) => id);
  type Page = { offers: { applicationId: string }[]; total: number; overdue: number; next: string | null };
  const page = async (input: object) => (await agent.caller.call("offers.toAnswer", input)).body as Page;
  const first = await page({ limit: 2 });
  expect(first).toMatchObject({ total: 3, overdue: 1 });
  const rest = await page({ limit: 2, cursor: first.next });
  expect([...first.offers, ...rest.offers].map((each) => each.applicationId)).toEqual([past, later, never]);
  expect(rest.next).toBeNull();
  const all = (await boss.caller.call("offers.toAnswer")).body as Page;
  expect(all.total).toBeGreaterThan(3);
});
