import { expect, test } from "vitest";
import { type ApplicationForm, applicationLimits, studyCountries } from "./application.ts";
import { applicationProblem, checkApplication } from "./application-check.ts";

const form: ApplicationForm = {
  program: "  MSc Data Science ",
  highestStudyLevel: "Postgraduate",
  country: ["GB", "CA"],
  startDate: "Spring Intake (January)",
  additionalInfo: " I have a scholarship.\n",
};

test("a complete form is stored trimmed, its countries in the form's order", () => {
  expect(checkApplication(form)).toEqual({
    program: "MSc Data Science",
    highestStudyLevel: "Postgraduate",
    countries: ["CA", "GB"],
    startDate: "Spring Intake (January)",
    additionalInfo: "I have a scholarship.",
    university: "",
    year: null,
  });
  expect(applicationProblem(form)).toBeNull();
});

test("stores university and year if given, and refuses invalid ones", () => {
  expect(checkApplication({ ...form, university: " University of Leeds ", year: "2027" })).toMatchObject({
    university: "University of Leeds",
    year: 2027,
  });
  for (const year of ["27", "2019", "2100", "next"])
    expect(applicationProblem({ ...form, year })).toMatchObject({ field: "year" });
  for (const university of ["x".repeat(121), "leeds.example/apply"])
    expect(applicationProblem({ ...form, university })).toMatchObject({ field: "university" });
});

test("All means every country, whatever else was sent with it", () => {
  for (const country of [["All"], ["All", "CA"], ["CA", "CA", "All"]])
    expect(checkApplication({ ...form, country })).toMatchObject({ countries: studyCountries });
});

test("missing fields are reported in the form's order", () => {
  const empty = { program: " ", highestStudyLevel: "", country: [], startDate: "", additionalInfo: "" };
  const one = { ...empty, program: "Law" };
  const two = { ...one, highestStudyLevel: "Foundation" };
  const three = { ...two, country: ["IE"] };
  const steps: [ApplicationForm, string, string][] = [
    [empty, "program", "Please enter a programme."],
    [one, "highestStudyLevel", "Please select your highest study level."],
    [two, "country", "Please select at least one country."],
    [three, "startDate", "Please select a start date."],
  ];
  for (const [form, field, message] of steps)
    expect(applicationProblem(form)).toEqual({ code: "form/incomplete", field, message });
  expect(applicationProblem({ ...three, startDate: "Summer Intake (May or June)" })).toBeNull();
});

test("choices that the form does not offer count as missing", () => {
  expect(applicationProblem({ ...form, highestStudyLevel: "Doctorate" })).toMatchObject({
    field: "highestStudyLevel",
  });
  expect(applicationProblem({ ...form, country: ["FR", "all"] })).toMatchObject({ field: "country" });
  expect(applicationProblem({ ...form, startDate: "Winter" })).toMatchObject({ field: "startDate" });
});

test("refuses a programme that looks like a link", () => {
  expect(checkApplication({ ...form, program: "Claim at evil.example/login" })).toMatchObject({
    field: "program",
    message: expect.stringContaining("Programme looks like a web address."),
  });
});

test("texts may be as long as their limits, without surrounding blanks", () => {
  const { program, additionalInfo } = applicationLimits;
  expect(applicationProblem({ ...form, program: ` ${"x".repeat(program)} ` })).toBeNull();
  expect(applicationProblem({ ...form, additionalInfo: "x".repeat(additionalInfo) })).toBeNull();
  expect(applicationProblem({ ...form, program: "x".repeat(program + 1) })).toMatchObject({
    field: "program",
    message: "Programme must be at most 120 characters long.",
  });
  expect(applicationProblem({ ...form, additionalInfo: "x".repeat(additionalInfo + 1) })).toMatchObject({
    field: "additionalInfo",
  });
});
