import { type StudyLevel, studyLevels } from "#domain/application.ts";
import { isCalendarDate } from "#domain/calendar-date.ts";
import { wrong } from "#domain/problem.ts";
import {
  type Fee,
  intakesProblem,
  type ProgrammeEntry,
  programmeLimits,
  sortedDeadlines,
  sortedFees,
} from "#domain/programme.ts";
import { type RequirementSet, requirementLimits, requirementProblem } from "#domain/requirement.ts";
import { visitableUrl } from "#domain/shortlist.ts";
import { nameProblem } from "#domain/single-line.ts";

const isLevel = (text: string): text is StudyLevel => studyLevels.some((level) => level === text);

function factsProblem(entry: ProgrammeEntry) {
  if (entry.title === "") return wrong("title", "Please enter the title of the programme.");
  for (const [field, label, text] of [
    ["title", "Title", entry.title],
    ["award", "Award", entry.award],
    ["source", "Source", entry.source.replaceAll(".", " ")],
  ] as const) {
    const problem = nameProblem(text, label);
    if (problem !== null) return wrong(field, problem);
    if (text.length > programmeLimits[field])
      return wrong(field, `${label} must be at most ${programmeLimits[field]} characters long.`);
  }
  if (!isLevel(entry.level)) return wrong("level", "Please choose a level.");
  const { months } = entry;
  if (months !== null && !(Number.isInteger(months) && months >= 1 && months <= programmeLimits.months))
    return wrong("months", `Please enter a duration from 1 to ${programmeLimits.months} months.`);
  if (visitableUrl(entry.url) === null)
    return wrong("url", "Please enter a web address that begins with http:// or https://.");
  if (entry.source === "") return wrong("source", "Please say where the facts come from.");
  if (entry.sourceId !== null && (entry.sourceId === "" || entry.sourceId.length > programmeLimits.sourceId))
    return wrong("sourceId", `The id has 1 to ${programmeLimits.sourceId} characters.`);
  return null;
}

function feesProblem(fees: readonly Fee[]) {
  if (fees.length > programmeLimits.fees)
    return wrong("fees", `A programme can have at most ${programmeLimits.fees} fees.`);
  for (const { amount, academicYear } of fees) {
    if (!Number.isInteger(amount) || amount < 0 || amount > programmeLimits.fee)
      return wrong("fees", "Please enter each fee as an amount.");
    if (
      !(
        Number.isInteger(academicYear) &&
        academicYear >= programmeLimits.firstYear &&
        academicYear <= programmeLimits.lastYear
      )
    )
      return wrong("fees", "Please enter the academic year of each fee.");
  }
  const names = fees.map(({ kind, per, academicYear, audience }) =>
    [kind, per, academicYear, audience].join(" "),
  );
  return new Set(names).size < names.length
    ? wrong("fees", "Two fees are of one kind, for the same people and the same year.")
    : null;
}

function requirementsProblem(sets: readonly RequirementSet[]) {
  if (sets.length > requirementLimits.sets)
    return wrong(
      "requirementSets",
      `A programme can have at most ${requirementLimits.sets} sets of requirements.`,
    );
  for (const set of sets) {
    if (set.length === 0) return wrong("requirementSets", "A set needs at least one requirement.");
    if (set.length > requirementLimits.perSet)
      return wrong("requirementSets", `A set can have at most ${requirementLimits.perSet} requirements.`);
    for (const requirement of set) {
      const problem = requirementProblem(requirement);
      if (problem !== null) return wrong("requirementSets", problem);
    }
  }
  return null;
}

/**
 * Normalises an entry for storage and comparison: trims texts, and sorts intakes by start and deadlines and fees in a
 * fixed order. Sets and their requirements keep their author's order.
 */
function normalised(entry: ProgrammeEntry): ProgrammeEntry {
  return {
    ...entry,
    title: entry.title.trim(),
    award: entry.award.trim(),
    url: visitableUrl(entry.url) ?? entry.url,
    source: entry.source.trim(),
    sourceId: entry.sourceId?.trim() ?? null,
    intakes: entry.intakes
      .map((intake) => ({ ...intake, deadlines: sortedDeadlines(intake.deadlines) }))
      .toSorted((one, other) => one.year - other.year || one.month - other.month),
    fees: sortedFees(entry.fees),
  };
}

/** Returns the entry to store, or its first problem. `today` is a day as YYYY-MM-DD. */
export function checkProgramme(form: ProgrammeEntry, today: string) {
  const entry = normalised(form);
  if (!isCalendarDate(entry.checkedOn) || entry.checkedOn > today)
    return wrong("checkedOn", "Please enter the day on which it was checked, today at the latest.");
  return (
    factsProblem(entry) ??
    intakesProblem(entry.intakes) ??
    feesProblem(entry.fees) ??
    requirementsProblem(entry.requirementSets) ??
    entry
  );
}
