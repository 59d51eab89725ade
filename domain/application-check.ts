import {
  type ApplicationField,
  type ApplicationForm,
  applicationLimits,
  intakes,
  type NewApplication,
  type StudyCountry,
  studyCountries,
  studyLevels,
} from "#domain/application.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import { nameProblem } from "#domain/single-line.ts";

/** Returns the chosen countries, each once, in the form's order. All means every country. */
const countriesOf = (choices: readonly string[]): StudyCountry[] =>
  studyCountries.filter((country) => choices.includes("All") || choices.includes(country));

/** Parses the year of an intake. Returns null for an empty text, "wrong" if it isn't a year or is out of range. */
function readYear(text: string): number | null | "wrong" {
  if (text === "") return null;
  const year = /^\d{4}$/.test(text) ? Number(text) : 0;
  return year >= applicationLimits.firstYear && year <= applicationLimits.lastYear ? year : "wrong";
}

/** Returns the application to store, or the form's first problem in the order of its fields. */
export function checkApplication(form: ApplicationForm): NewApplication | Problem<ApplicationField> {
  const program = form.program.trim();
  const additionalInfo = form.additionalInfo.trim();
  const highestStudyLevel = studyLevels.find((level) => level === form.highestStudyLevel);
  const countries = countriesOf(form.country);
  const startDate = intakes.find((intake) => intake === form.startDate);
  if (program === "") return wrong("program", "Please enter a programme.");
  if (!highestStudyLevel) return wrong("highestStudyLevel", "Please select your highest study level.");
  if (countries.length === 0) return wrong("country", "Please select at least one country.");
  if (!startDate) return wrong("startDate", "Please select a start date.");
  const university = form.university?.trim() ?? "";
  const year = readYear(form.year ?? "");
  const {
    program: longestProgram,
    additionalInfo: longestInfo,
    university: longestUniversity,
  } = applicationLimits;
  // Programme and university appear in the subjects of emails.
  const programProblem = nameProblem(program, "Programme");
  const universityProblem = nameProblem(university, "University");
  const problem =
    tooLong("program", "Programme", program, longestProgram) ??
    (programProblem === null ? null : wrong("program", programProblem)) ??
    tooLong("additionalInfo", "Additional information", additionalInfo, longestInfo) ??
    tooLong("university", "University", university, longestUniversity) ??
    (universityProblem === null ? null : wrong("university", universityProblem));
  if (problem) return problem;
  if (year === "wrong") return wrong("year", "Please choose a year.");
  return { program, highestStudyLevel, countries, startDate, additionalInfo, university, year };
}

/** Checks the form for the browser, which needs only the problem. */
export function applicationProblem(form: ApplicationForm): Problem<ApplicationField> | null {
  const application = checkApplication(form);
  return "code" in application ? application : null;
}
