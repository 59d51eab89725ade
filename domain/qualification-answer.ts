import { type Answer, best, met, missing, needsPerson, notKnown } from "#domain/answer.ts";
import { countryName } from "#domain/country.ts";
import {
  awardLabels,
  awards,
  type Equivalence,
  equivalenceOf,
  type GradeScaleName,
  gradeScales,
  isAtLeast,
  isSettled,
} from "#domain/qualification.ts";
import type {
  QualificationRequirement,
  SubjectRequirement,
  SubjectsRequirement,
} from "#domain/requirement.ts";
import type { Qualification, StudyRecord } from "#domain/study-record.ts";
import { areAlike, isSameSubject, plainSubject } from "#domain/subject-name.ts";

function gradeAnswer(
  { scale, grade, year }: Pick<Qualification, "scale" | "grade" | "year">,
  least: { scale: QualificationRequirement["scale"]; grade: string },
  what: string,
  tables: readonly Equivalence[],
): Answer {
  if (grade === "") return notKnown(`the grade of the ${what}`);
  if (scale === least.scale)
    return isAtLeast(scale, grade, least.grade) ? met : missing([{ what, has: grade, asked: least.grade }]);
  const row = equivalenceOf({ scale, grade, year }, least.scale, tables);
  if (row === null)
    return needsPerson(
      `The grade is on another scale (${gradeScales[scale].label}), and no table says what it counts as.`,
    );
  const equivalent = `counts as ${row.toGrade} by “${row.source}”`;
  if (isAtLeast(least.scale, row.toGrade, least.grade))
    return { kind: "met", why: `${grade} ${equivalent}.` };
  if (!isSettled({ scale, grade, year }, least, tables))
    return needsPerson(`No table says what counts as ${least.grade} (${gradeScales[least.scale].label}).`);
  return missing([{ what, has: `${grade}, which ${equivalent}`, asked: least.grade }]);
}

/** Scales whose exams are written in October and November. */
const examsAtYearsEnd: ReadonlySet<GradeScaleName> = new Set(["nsc", "kcse"]);

/** Returns the half-year of a day (YYYY-MM-DD): "2026-1" or "2026-2". */
export const halfYear = (day: string): string => `${day.slice(0, 4)}-${day.slice(5, 7) < "07" ? 1 : 2}`;

/**
 * Returns whether a qualification is obtained by a start, which depends only on the start's half-year. The
 * qualification has a year but no month: in the year of the start, school years that end by June are over for starts
 * from July on, and everything else is unsure.
 */
export function timingOf({ year, scale }: Qualification, start: string): "inTime" | "unsure" | "late" {
  const startYear = Number(start.slice(0, 4));
  if (year !== startYear) return year < startYear ? "inTime" : "late";
  return halfYear(start).endsWith("-2") && !examsAtYearsEnd.has(scale) ? "inTime" : "unsure";
}

/** Returns the answer of a qualification, which also depends on whether it is obtained by the start. */
function answerInTime(qualification: Qualification, what: string, start: string, answer: Answer): Answer {
  const { year } = qualification;
  const timing = timingOf(qualification, start);
  if (timing === "late")
    return missing([{ what, has: `expected in ${year}`, asked: `by ${start.slice(0, 4)}` }], true);
  return answer.kind === "met" && timing === "unsure"
    ? needsPerson(`It is from ${year}, the year of the start, and may come only after it.`)
    : answer;
}

export function answerQualification(
  { country, award, scale, grade }: QualificationRequirement,
  { qualifications }: StudyRecord,
  start: string,
  tables: readonly Equivalence[],
): Answer {
  if (qualifications.length === 0) return notKnown("the qualifications");
  const awardName = awardLabels[award].toLowerCase();
  const ofAward = qualifications.filter((each) => each.award === award);
  if (ofAward.length === 0) {
    const highest = awards[Math.max(...qualifications.map((each) => awards.indexOf(each.award)))] ?? award;
    // A student with a higher award has most likely left the lower one out.
    if (awards.indexOf(highest) > awards.indexOf(award)) return notKnown(`the ${awardName}`);
    return missing([{ what: "qualification", has: awardLabels[highest].toLowerCase(), asked: awardName }]);
  }
  const gradesOf = (each: Qualification): Answer => {
    if (country !== null && each.country !== country)
      return needsPerson(
        `It is for a qualification from ${countryName(country)}; the one in the record is from ${countryName(each.country)}.`,
      );
    return grade === null ? met : gradeAnswer(each, { scale, grade }, awardName, tables);
  };
  return best(
    ofAward.map((each) => answerInTime(each, awardName, start, gradesOf(each))),
    met,
  );
}

export function answerSubject(
  { subject, scale, grade }: SubjectRequirement,
  { qualifications }: StudyRecord,
  start: string,
  tables: readonly Equivalence[],
): Answer {
  const entries = qualifications.flatMap((qualification) =>
    qualification.subjects.map((each) => ({ ...each, qualification })),
  );
  if (entries.length === 0) return notKnown("the subjects of the qualifications");
  const answers = entries
    .filter((each) => isSameSubject(each.subject, subject))
    .map((each) =>
      answerInTime(
        each.qualification,
        subject,
        start,
        grade === null
          ? met
          : gradeAnswer({ ...each.qualification, grade: each.grade }, { scale, grade }, subject, tables),
      ),
    );
  if (answers.length > 0) return best(answers, met);
  const alike = entries.find((each) => areAlike(each.subject, subject));
  if (alike)
    return needsPerson(
      `It asks for ${subject}; the record has ${alike.subject}. A person reads whether that counts.`,
    );
  const isUnlisted = ({ subjects, scale: own }: Qualification) =>
    subjects.length === 0 && (grade === null || own === scale);
  if (qualifications.some(isUnlisted)) return notKnown("the subjects of each qualification");
  // Schools elsewhere teach it under another name, such as Life Sciences for Biology.
  if (entries.every(({ qualification }) => qualification.scale !== scale))
    return needsPerson(
      `It asks for ${subject} on another scale (${gradeScales[scale].label}) than the record's subjects have. A person reads whether one of them counts.`,
    );
  return missing([{ what: subject, has: "", asked: grade ?? subject }]);
}

/** Answers by the subjects of one qualification. Each subject counts once, with its best grade. */
function subjectsAnswer(
  qualification: Qualification,
  { least, scale, grade }: SubjectsRequirement,
  tables: readonly Equivalence[],
): Answer {
  const subjects = Map.groupBy(qualification.subjects, ({ subject }) => plainSubject(subject));
  const answers = Array.from(subjects.values(), (entries) =>
    best(
      entries.map((each) =>
        gradeAnswer({ ...qualification, grade: each.grade }, { scale, grade }, each.subject, tables),
      ),
      met,
    ),
  );
  const metAnswers = answers.filter(({ kind }) => kind === "met");
  if (metAnswers.length >= least) return metAnswers[0] ?? met;
  const open = answers.filter(({ kind }) => kind === "notKnown" || kind === "needsPerson");
  const unlisted = Math.max(0, least - answers.length);
  if (metAnswers.length + open.length + unlisted < least)
    return missing([
      { what: `subjects with ${grade} or better`, has: String(metAnswers.length), asked: String(least) },
    ]);
  return best(open, notKnown("all subjects of the qualifications"));
}

export function answerSubjects(
  requirement: SubjectsRequirement,
  { qualifications }: StudyRecord,
  start: string,
  tables: readonly Equivalence[],
): Answer {
  const answers = qualifications
    .filter(({ subjects, scale }) => subjects.length > 0 || scale === requirement.scale)
    .map((each) => answerInTime(each, "subjects", start, subjectsAnswer(each, requirement, tables)));
  return best(answers, notKnown("the subjects of the qualifications"));
}
