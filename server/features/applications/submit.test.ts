import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applicationLimits } from "#domain/application.ts";
import {
  applicationNotifications,
  mine,
  stepsOf,
  submit,
  submittedApplication,
} from "#tests/support/applications.ts";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { audit } from "../audit/tables.ts";
import { application } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

test("a submission is saved, listed, on the timeline and in the audit log, and the agent is notified", async () => {
  const { student, agent, id } = await submittedApplication(w);
  expect(await mine(student)).toEqual([
    {
      id,
      program: "MSc Data Science",
      highestStudyLevel: "Postgraduate",
      countries: ["CA", "GB"],
      startDate: "Spring Intake (January)",
      additionalInfo: "I have a scholarship.",
      university: "",
      year: null,
      programme: null,
      intakeId: null,
      state: "submitted",
      note: "",
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    },
  ]);
  expect(await stepsOf(student, id)).toMatchObject([
    { from: null, to: "submitted", note: "", by: { role: "student", name: "Ada Obi" } },
  ]);
  expect(await applicationNotifications(w, agent)).toEqual(["applicationMoved MSc Data Science: submitted"]);
  expect(await applicationNotifications(w, student)).toEqual([]);
  const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, student.id));
  expect(entries).toContainEqual(
    expect.objectContaining({ action: "application-submitted", actorId: student.id }),
  );
});

test("All selects every country", async () => {
  const student = await person(w, "student", "active");
  const { body } = await submit(student, { country: ["All"] });
  expect(body).toMatchObject({
    countries: ["CA", "IE", "AE", "GB", "US"],
  });
});

test("missing values are refused with a message, and nothing is saved", async () => {
  const student = await person(w, "student", "active");
  expect(await submit(student, { program: "  " })).toMatchObject({
    code: "form/incomplete",
    message: "Please enter a programme.",
  });
  expect(await submit(student, { country: ["FR"] })).toMatchObject({
    message: "Please select at least one country.",
  });
  expect(await submit(student, { country: Array.from({ length: 50 }, () => "All") })).toMatchObject({
    code: "invalid-argument",
  });
  expect(await mine(student)).toEqual([]);
});

test("refuses a second open application for the same student, programme and intake", async () => {
  const { student, move } = await submittedApplication(w);
  const again = await submit(student, { program: "  msc DATA science ", highestStudyLevel: "Foundation" });
  expect(again).toMatchObject({
    status: 409,
    code: "already-exists",
    message: "You already have an open application for this programme and intake.",
  });
  expect((await submit(student, { startDate: "Summer Intake (May or June)" })).status).toBe(200);
  expect((await submit(await person(w, "student", "active"))).status).toBe(200);
  expect((await move(student, "withdrawn")).status).toBe(200);
  expect((await submit(student)).status).toBe(200);
});

test("allows applications for one programme and intake that differ in university or year", async () => {
  const student = await person(w, "student", "active");
  const leeds = { university: "University of Leeds", year: "2027" };
  expect((await submit(student, leeds)).status).toBe(200);
  expect((await submit(student, { ...leeds, university: "university of leeds" })).code).toBe(
    "already-exists",
  );
  expect((await submit(student, { ...leeds, university: "University of York" })).status).toBe(200);
  expect((await submit(student, { ...leeds, year: "2028" })).status).toBe(200);
  expect((await submit(student)).status).toBe(200);
});

test("programmes with letters beyond ASCII are compared ignoring case, too", async () => {
  const student = await person(w, "student", "active");
  expect((await submit(student, { program: "Économie à l’École" })).status).toBe(200);
  expect((await submit(student, { program: "ÉCONOMIE À L’ÉCOLE" })).code).toBe("already-exists");
});

test("one of twenty concurrent submissions is saved", async () => {
  const student = await person(w, "student", "active");
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => submit(student, { program: `${" ".repeat(index)}Law` })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "already-exists")).toHaveLength(19);
  expect(await mine(student)).toHaveLength(1);
});

test("the index of the database refuses a second open application", async () => {
  const { student, id } = await submittedApplication(w);
  const { db } = w.services.database;
  const columns = sql`highest_study_level, country_codes, start_date, additional_info`;
  const copy = sql`insert into application (id, student_id, program, ${columns}, state)
    select ${`${id}-2`}, ${student.id}, upper(program) || ' ', ${columns}, 'deferred' from application where id = ${id}`;
  await expect(db.execute(copy)).rejects.toMatchObject({ cause: { constraint: "application_open" } });
});

test("applications beyond a student's limit are refused, even concurrent ones", async () => {
  const student = await person(w, "student", "active");
  const { perStudent } = applicationLimits;
  await w.services.database.db.insert(application).values(
    Array.from({ length: perStudent - 1 }, (_, index) => ({
      id: `${student.id}-${index}`,
      studentId: student.id,
      program: `Programme ${index}`,
      highestStudyLevel: "Foundation" as const,
      countryCodes: ["CA" as const],
      startDate: "Spring Intake (January)" as const,
      additionalInfo: "",
      state: "rejected" as const,
    })),
  );
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => submit(student, { program: `New ${index}` })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "resource-exhausted")).toHaveLength(4);
  expect(await mine(student)).toHaveLength(perStudent);
});
