import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
let kofi: Person;
let ada: Person;
let ben: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
  kofi = await person(w, "agent", "approved");
  [ada, ben] = [await person(w, "student", "active"), await person(w, "student", "active")];
  await w.services.database.db.execute(
    sql`update "user" set assigned_agent_id = ${kofi.id} where id = ${ada.id}`,
  );
  await insertApplication("a", ada, "Leeds", [
    [null, "submitted", "2026-01-01"],
    ["submitted", "inReview", "2026-01-03"],
    // A changed offer is on the timeline too, but ends no stay.
    ["inReview", "inReview", "2026-01-05"],
    ["inReview", "visa", "2026-01-13"],
    ["visa", "enrolled", "2026-02-01"],
    ["enrolled", "visa", "2026-02-02"],
    ["visa", "enrolled", "2026-03-31T23:30Z"],
  ]);
  await insertApplication("b", ben, " Leeds", [
    [null, "submitted", "2025-06-01"],
    ["submitted", "inReview", "2025-06-11"],
    ["inReview", "enrolled", "2025-07-01"],
  ]);
  await insertApplication("e", ben, "leeds", [
    [null, "submitted", "2024-01-01"],
    ["submitted", "enrolled", "2024-01-05"],
  ]);
  await insertApplication("c", ben, "=1+1", [
    [null, "submitted", "2026-01-01"],
    ["submitted", "enrolled", "2026-01-05"],
  ]);
  await insertApplication("d", ben, "", [
    [null, "submitted", "2026-01-01"],
    ["submitted", "enrolled", "2026-01-05"],
    ["enrolled", "visa", "2026-01-06"],
  ]);
});
afterAll(() => w.stop());

type Step = [from: string | null, to: string, at: string];
async function insertApplication(id: string, student: Person, university: string, steps: readonly Step[]) {
  const { db } = w.services.database;
  await db.execute(sql`
    insert into application (id, student_id, program, highest_study_level, country_codes, start_date, additional_info, university, state)
    values (${id}, ${student.id}, ${id}, 'Foundation', '{}', 'Spring Intake (January)', '', ${university}, ${steps.at(-1)?.[1]})`);
  for (const [from, to, at] of steps)
    await db.execute(sql`
      insert into application_step (application_id, actor_id, "from", "to", at)
      values (${id}, ${boss.id}, ${from}, ${to}, ${at}::timestamptz)`);
}

test("an enrolment counts once, in the month of its last step, for the student's current agent", async () => {
  const { api } = boss.caller;
  expect(await api.reports.enrolments({})).toEqual({
    months: [
      { month: "2026-03", enrolments: 1 },
      { month: "2026-01", enrolments: 1 },
      { month: "2025-07", enrolments: 1 },
      { month: "2024-01", enrolments: 1 },
    ],
    agents: [
      { agent: null, enrolments: 3 },
      { agent: { id: kofi.id, name: "Ada Obi" }, enrolments: 1 },
    ],
    universities: [
      { university: "Leeds", enrolments: 3 },
      { university: "=1+1", enrolments: 1 },
    ],
  });
  const ofYear = await api.reports.enrolments({ year: 2025 });
  expect(ofYear.months).toEqual([{ month: "2025-07", enrolments: 1 }]);
  expect(ofYear.agents).toEqual([{ agent: null, enrolments: 1 }]);
});

test("a state lasts from the step into it to the step out of it, regardless of changes to its offer", async () => {
  const { states } = await boss.caller.api.reports.stays({});
  const stays = new Map(states.map(({ state, ...rest }) => [state, rest]));
  expect(stays.get("submitted")).toMatchObject({ ended: 5, medianDays: 4, current: 0 });
  expect(stays.get("inReview")).toEqual({ ended: 2, medianDays: 15, slowDays: 19, current: 0 });
  expect(stays.get("visa")).toMatchObject({ ended: 2, current: 1 });
  expect(stays.has("enrolled")).toBe(false);
  const ofYear = await boss.caller.api.reports.stays({ year: 2025 });
  expect(ofYear.states.find(({ state }) => state === "inReview")).toMatchObject({ ended: 1, medianDays: 20 });
});

test("each report is a file for admins only, in which formulas in university names are escaped", async () => {
  const get = ({ caller }: Person, path: string) => caller.request(`/files/reports/${path}`, {});
  const file = await get(boss, "universities");
  expect(file.headers.get("content-disposition")).toContain('filename="Enrolments by university.csv"');
  expect(await file.text()).toBe("University,Enrolments\r\nLeeds,3\r\n'=1+1,1\r\n");
  expect(await (await get(boss, "agents?year=2026")).text()).toBe(
    `Agent,Agent id,Enrolments\r\nAda Obi,${kofi.id},1\r\n,,1\r\n`,
  );
  expect(await (await get(boss, "months?year=2025")).text()).toBe("Month,Enrolments\r\n2025-07,1\r\n");
  expect(await (await get(boss, "stays")).text()).toContain("\r\nIn review,2,15.0,19.0,0\r\n");
  for (const path of ["others", "months?year=1", "months?year=x"])
    expect((await get(boss, path)).status).toBe(404);
  expect((await get(kofi, "months")).status).toBe(404);
  expect((await get(ada, "months")).status).toBe(404);
});
