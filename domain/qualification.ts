import { keysOf } from "#domain/keys-of.ts";

/** The awards that a programme may ask for, the lowest first. */
export const awardLabels = {
  secondary: "School-leaving qualification",
  diploma: "Diploma",
  bachelor: "Bachelor's degree",
  master: "Master's degree",
  doctorate: "Doctorate",
};
export type Award = keyof typeof awardLabels;
export const awards = keysOf(awardLabels);

/** A scale whose grades have names, the best first, or one of numbers. `best`: which end of the numbers is better. */
type GradeScale =
  | { label: string; grades: readonly string[] }
  | { label: string; least: number; most: number; decimals: number; best: "high" | "low" };

/** The scales of grades. Grades are converted to another scale only by the consultancy's own table. */
export const gradeScales = {
  aLevel: { label: "A-level", grades: ["A*", "A", "B", "C", "D", "E"] },
  gcse: { label: "GCSE (9 to 1)", least: 1, most: 9, decimals: 0, best: "high" },
  wassce: { label: "WASSCE or NECO", grades: ["A1", "B2", "B3", "C4", "C5", "C6", "D7", "E8", "F9"] },
  nsc: {
    label: "National Senior Certificate (average in percent)",
    least: 0,
    most: 100,
    decimals: 0,
    best: "high",
  },
  kcse: {
    label: "KCSE",
    grades: ["A", "A-", "B+", "B", "B-", "C+", "C", "C-", "D+", "D", "D-", "E"],
  },
  ib: { label: "International Baccalaureate (points)", least: 0, most: 45, decimals: 0, best: "high" },
  percent: { label: "Percent", least: 0, most: 100, decimals: 1, best: "high" },
  gpa4: { label: "Grade point average of 4", least: 0, most: 4, decimals: 2, best: "high" },
  gpa5: { label: "Grade point average of 5", least: 0, most: 5, decimals: 2, best: "high" },
  cgpa10: { label: "Grade point average of 10", least: 0, most: 10, decimals: 2, best: "high" },
  germanGrade: { label: "German grade (1.0 is best)", least: 1, most: 5, decimals: 1, best: "low" },
  ukHonours: {
    label: "UK honours degree",
    grades: ["First", "Upper second (2:1)", "Lower second (2:2)", "Third", "Pass"],
  },
} as const satisfies Record<string, GradeScale>;

export type GradeScaleName = keyof typeof gradeScales;
export const gradeScaleNames = keysOf(gradeScales);

const scaleOf = (name: GradeScaleName): GradeScale => gradeScales[name];

function numberOf({ least, most, decimals }: Extract<GradeScale, { least: number }>, grade: string) {
  if (!new RegExp(`^\\d{1,3}${decimals > 0 ? `(\\.\\d{1,${decimals}})?` : ""}$`).test(grade)) return null;
  const number = Number(grade);
  return number >= least && number <= most ? number : null;
}

/** Returns what is wrong with a grade on its scale, or null. */
export function gradeProblem(name: GradeScaleName, grade: string): string | null {
  const scale = scaleOf(name);
  if ("grades" in scale)
    return scale.grades.includes(grade)
      ? null
      : `A grade of ${scale.label} is one of ${scale.grades.join(", ")}.`;
  if (numberOf(scale, grade) !== null) return null;
  const decimals = scale.decimals > 0 ? `, with at most ${scale.decimals} decimals` : "";
  return `A grade of ${scale.label} is a number from ${scale.least} to ${scale.most}${decimals}.`;
}

/** Whether a grade is at least as good as another of its scale. Both must be valid. */
export function isAtLeast(name: GradeScaleName, grade: string, least: string): boolean {
  const scale = scaleOf(name);
  if ("grades" in scale) return scale.grades.indexOf(grade) <= scale.grades.indexOf(least);
  return scale.best === "high" ? Number(grade) >= Number(least) : Number(grade) <= Number(least);
}

/**
 * A row that makes a grade of one scale count as a grade of another, for qualifications of these years. Admins enter it
 * with its source.
 */
export type Equivalence = {
  fromScale: GradeScaleName;
  fromGrade: string;
  toScale: GradeScaleName;
  toGrade: string;
  /** The first and the last year of the award that it applies to; null for no bound. */
  firstYear: number | null;
  lastYear: number | null;
  /** The table that it is from, in the admin's words. */
  source: string;
};

type GradeOfYear = { scale: GradeScaleName; grade: string; year: number };

/** Returns the rows from one scale to another that apply to qualifications of a year. */
const rowsFor = (
  { scale, year }: GradeOfYear,
  toScale: GradeScaleName,
  tables: readonly Equivalence[],
): Equivalence[] =>
  tables.filter(
    (row) =>
      row.fromScale === scale &&
      row.toScale === toScale &&
      (row.firstYear === null || year >= row.firstYear) &&
      (row.lastYear === null || year <= row.lastYear),
  );

/**
 * Returns the row by which a grade counts on another scale, or null if the tables have none: of the rows whose
 * `fromGrade` it reaches, the one with the best `toGrade`.
 */
export function equivalenceOf(
  graded: GradeOfYear,
  toScale: GradeScaleName,
  tables: readonly Equivalence[],
): Equivalence | null {
  const candidates = rowsFor(graded, toScale, tables).filter((row) =>
    isAtLeast(graded.scale, graded.grade, row.fromGrade),
  );
  return candidates.reduce<Equivalence | null>(
    (best, row) => (best === null || isAtLeast(toScale, row.toGrade, best.toGrade) ? row : best),
    null,
  );
}

/**
 * Whether the tables settle that a grade is below one of another scale: they have a row to that one or a better one, or
 * from exactly this grade. A grade above everything in the table could count as more than the table says.
 */
export function isSettled(
  graded: GradeOfYear,
  other: { scale: GradeScaleName; grade: string },
  tables: readonly Equivalence[],
): boolean {
  const { scale, grade } = graded;
  if (scale === other.scale) return true;
  return rowsFor(graded, other.scale, tables).some(
    (row) =>
      isAtLeast(other.scale, row.toGrade, other.grade) ||
      (isAtLeast(scale, grade, row.fromGrade) && isAtLeast(scale, row.fromGrade, grade)),
  );
}
