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

/** The countries that are meant: each once, in the form's order. All means every one. */
const countriesOf = (choices: readonly string[]): StudyCountry[] =>
  studyCountries.filter((country) => choices.includes("All") || choices.includes(country));

/** Reads the year of an intake: null for an empty text, "wrong" for one that is no year or out of reach. */
function readYear(text: string): number | null | "wrong" {
  if (text === "") return null;
  const year = /^\d{4}$/.test(text) ? Number(text) : 0;
  return year >= applicationLimits.firstYear && year <= applicationLimits.lastYear ? year : "wrong";
}

/** The application as it is stored, or the first thing wrong with the form, in its order. */
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
  const { program: longest, additionalInfo: longestInfo, university: longestUniversity } = applicationLimits;
  // Programme and university stand in the subjects of emails.
  const unfit = nameProblem(program, "Programme");
  const unfitUniversity = nameProblem(university, "University");
  const problem =
    tooLong("program", "Programme", program, longest) ??
    (unfit === null ? null : wrong("program", unfit)) ??
    tooLong("additionalInfo", "Additional information", additionalInfo, longestInfo) ??
    tooLong("university", "University", university, longestUniversity) ??
    (unfitUniversity === null ? null : wrong("university", unfitUniversity));
  if (problem) return problem;
  if (year === "wrong") return wrong("year", "Please choose a year.");
  return { program, highestStudyLevel, countries, startDate, additionalInfo, university, year };
}

/** Checks the form for the browser, which needs only the problem. */
export function applicationProblem(form: ApplicationForm): Problem<ApplicationField> | null {
  const application = checkApplication(form);
  return "code" in application ? application : null;
}
