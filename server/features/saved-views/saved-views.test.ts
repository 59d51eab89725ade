import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { studentView } from "#contract/student-rows.ts";
import { savedViewLimits, viewCount } from "#domain/saved-view.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { savedView } from "./tables.ts";
import { createStudentCounts } from "./views.ts";

let w: Wayfare;
let agent: Person;
let admin: Person;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());
beforeEach(async () => {
  await w.services.database.db.delete(savedView);
  agent = await person(w, "agent", "approved");
  admin = await person(w, "admin", "active");
});

const trySave = ({ caller }: Person, name: string, more: object = {}) =>
  caller.call("savedViews.save", { name, view: {}, columns: [], shared: false, ...more });
const viewsOf = async ({ caller }: Person) => (await caller.api.savedViews.list({})).views;
const namesOf = async (who: Person) => (await viewsOf(who)).map(({ name }) => name);

test("an agent sees shared views, but can't save, replace or remove one", async () => {
  expect((await trySave(admin, "Quiet", { shared: true, columns: ["email"] })).status).toBe(200);
  const [view] = await viewsOf(agent);
  expect(view).toMatchObject({ name: "Quiet", shared: true, mayChange: false });
  expect((await trySave(agent, "New", { shared: true })).code).toBe("permission-denied");
  expect((await trySave(agent, "Quiet", { shared: true })).code).toBe("permission-denied");
  expect((await agent.caller.call("savedViews.remove", { id: view?.id })).code).toBe("not-found");
  expect(await viewsOf(admin)).toMatchObject([{ name: "Quiet", columns: ["email"], mayChange: true }]);
  expect((await admin.caller.call("savedViews.remove", { id: view?.id })).body).toEqual({ done: true });
  expect(await viewsOf(agent)).toEqual([]);
});

test("a view replaces the owner's former view of the same name, but not those of others", async () => {
  await trySave(agent, "Nursing", { view: { filter: "mine" }, columns: ["email"] });
  await trySave(admin, "Nursing", { shared: true, columns: ["email"] });
  const former = (await viewsOf(agent)).find(({ shared }) => !shared);
  expect((await trySave(agent, " Nursing ", { view: { filter: "all" }, columns: [] })).status).toBe(200);
  const views = await viewsOf(agent);
  expect(views).toHaveLength(2);
  expect(views.find(({ shared }) => !shared)).toMatchObject({
    id: former?.id,
    name: "Nursing",
    view: { filter: "all" },
    columns: [],
  });
  expect(views.find(({ shared }) => shared)?.columns).toEqual(["email"]);
});

test("a person can have thirty views, and thirty can be shared, however many are saved concurrently", async () => {
  const most = savedViewLimits.views;
  for (const [who, shared] of [
    [agent, false],
    [admin, true],
  ] as const) {
    for (let at = 1; at < most; at++) await trySave(who, `View ${at}`, { shared });
    const answers = await Promise.all(["one", "two", "three"].map((name) => trySave(who, name, { shared })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === "resource-exhausted")).toHaveLength(2);
    const own = (await viewsOf(who)).filter((view) => view.shared === shared);
    expect(own).toHaveLength(most);
    // An existing view can still be replaced, and shared views don't use up a person's own.
    expect((await trySave(who, "View 1", { shared, columns: ["email"] })).status).toBe(200);
  }
  expect((await trySave(admin, "My own")).status).toBe(200);
  expect((await namesOf(await person(w, "agent", "approved"))).length).toBe(most);
});

/** Counts all students for an agent, adds one, and counts for an admin some milliseconds later. */
async function countTwice(milliseconds: number) {
  let now = 1_000;
  const count = createStudentCounts(w.services.database, { now: () => now });
  const view = studentView.parse({});
  const first = await count({ viewerId: agent.id, view });
  await person(w, "student", "active");
  now += milliseconds;
  return { first, second: await count({ viewerId: admin.id, view }) };
}

test("a number of students is cached for everyone for thirty seconds, and then counted again", async () => {
  const early = await countTwice(viewCount.seconds * 1000);
  expect(early.second).toEqual(early.first);
  const late = await countTwice(viewCount.seconds * 1000 + 1);
  expect(late.second.students).toBe(late.first.students + 1);
});

test("a view's number comes with the time of its count", async () => {
  await trySave(agent, "All");
  const [{ id } = { id: "" }] = await viewsOf(agent);
  const before = new Date();
  const { countedAt } = await agent.caller.api.savedViews.count({ id });
  expect(countedAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
});
