import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mine, submit } from "#tests/support/applications.ts";
import { programmeOf, type University } from "#tests/support/catalogue.ts";
import { person } from "#tests/support/factories.ts";
import { storeInstitution } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { programme } from "../programmes/tables.ts";

let w: Wayfare;
let leeds: University;
beforeAll(async () => {
  w = await wayfare();
  leeds = await storeInstitution(w);
});
afterAll(() => w.stop());

const form = {
  program: "MSc Nursing",
  country: ["GB"],
  startDate: "Fall Intake (August or September)",
  university: "University of Leeds",
  year: "2090",
};

test("an application keeps the programme and the intake that it was filled from", async () => {
  const student = await person(w, "student", "active");
  const { id, slug, intakeIds } = await programmeOf(w, leeds);
  const [intakeId] = intakeIds;
  const { body } = await submit(student, { ...form, programmeId: id, intakeId });
  expect(body).toMatchObject({ programme: { id, slug }, intakeId });
  expect(await mine(student)).toMatchObject([{ programme: { id, slug }, intakeId }]);
});

test("an intake of another programme and an unknown programme are refused, and nothing is saved", async () => {
  const student = await person(w, "student", "active");
  const [one, other] = [await programmeOf(w, leeds), await programmeOf(w, leeds)];
  const refused = [
    await submit(student, { ...form, programmeId: one.id, intakeId: other.intakeIds[0] }),
    await submit(student, { ...form, programmeId: one.id, intakeId: randomUUID() }),
    await submit(student, { ...form, programmeId: randomUUID() }),
  ];
  expect(refused.map(({ code }) => code)).toEqual(["not-found", "not-found", "not-found"]);
  expect(await mine(student)).toEqual([]);
});

test("an application whose texts name another course or start keeps no programme or no intake", async () => {
  const student = await person(w, "student", "active");
  const { id: programmeId, intakeIds } = await programmeOf(w, leeds);
  const from = { programmeId, intakeId: intakeIds[0] };
  const another = await submit(student, { ...form, ...from, program: "MSc Midwifery" });
  expect(another.body).toMatchObject({ programme: null, intakeId: null });
  const later = await submit(student, { ...form, ...from, year: "2091" });
  expect(later.body).toMatchObject({ programme: { id: programmeId }, intakeId: null });
});

test("one open application for a programme and start is allowed, even from the catalogue", async () => {
  const student = await person(w, "student", "active");
  const { id: programmeId, intakeIds } = await programmeOf(w, leeds);
  const from = { ...form, programmeId, intakeId: intakeIds[0] };
  const answers = await Promise.all([submit(student, from), submit(student, from), submit(student, form)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "already-exists")).toHaveLength(2);
});

test("an application keeps a programme that staff have removed meanwhile", async () => {
  const student = await person(w, "student", "active");
  const { id: programmeId, intakeIds } = await programmeOf(w, leeds);
  await w.services.database.db
    .update(programme)
    .set({ removedAt: new Date() })
    .where(eq(programme.id, programmeId));
  const { body } = await submit(student, { ...form, programmeId, intakeId: intakeIds[0] });
  expect(body).toMatchObject({ programme: { id: programmeId } });
});
