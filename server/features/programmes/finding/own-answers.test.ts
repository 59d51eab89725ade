import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordTest } from "#server/features/study-record/tables.ts";
import { Caller } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
  const leeds = await storeInstitution(w);
  const english = { kind: "english", test: "ieltsAcademic", overall: 6.5, components: {}, years: 9 } as const;
  await storeProgrammeOf(w, leeds, { title: "MSc Nursing", requirementSets: [[english]] });
});
afterAll(() => w.stop());

async function studentWith(overall: number) {
  const student = await person(w, "student", "active");
  await w.services.database.db.insert(recordTest).values({
    id: randomUUID(),
    studentId: student.id,
    test: "ieltsAcademic",
    takenOn: "2083-03-17",
    overall,
  });
  return student;
}

test("a student's answers never appear in responses to others, nor in anything that is cached for everyone", async () => {
  const visitor = new Caller(w.app);
  const publicAnswers = async () => {
    const list = await visitor.call("programmes.list", {});
    const slug = (list.body as { programmes: { slug: string }[] }).programmes[0]?.slug;
    const counts = await visitor.call("programmes.counts", {});
    const read = await visitor.call("programmes.read", { slug });
    const compared = await visitor.call("programmes.compare", { slugs: [slug] });
    return [list, counts, read, compared].map(({ body }) => JSON.stringify(body));
  };
  const before = await publicAnswers();
  const [good, weak] = [await studentWith(7), await studentWith(5.5)];
  const outcomeOf = async ({ caller }: typeof good) => {
    const answer = await caller.call("programmes.forStudent", {});
    expect(answer.headers.get("cache-control")).toBe("no-store");
    return answer.body;
  };
  for (let time = 0; time < 2; time++) {
    expect(await outcomeOf(good)).toMatchObject({ outcomes: { mayEnter: 1 } });
    expect(await outcomeOf(weak)).toMatchObject({ programmes: [{ reason: "overall 5.5, asked 6.5" }] });
    expect(await publicAnswers()).toEqual(before);
  }
  expect(before.join(" ")).not.toMatch(/outcome|reason|2083-03-17/);
  expect((await visitor.call("programmes.forStudent", {})).code).toBe("unauthenticated");
});
