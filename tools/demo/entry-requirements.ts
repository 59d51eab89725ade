import type { EnglishRequirement, Requirement, RequirementSet } from "#domain/requirement.ts";
import type { Course } from "./courses.ts";
import { at, type Random } from "./random.ts";

/** English tests of about the same level, from the lowest. */
const english: readonly (readonly Omit<EnglishRequirement, "kind" | "years">[])[] = [
  [
    { test: "ieltsAcademic", overall: 5, components: { writing: 5 } },
    { test: "pte", overall: 36, components: {} },
  ],
  [
    { test: "ieltsAcademic", overall: 6, components: eachPart(5.5) },
    { test: "toefl", overall: 72, components: { writing: 17, speaking: 18 } },
    { test: "duolingo", overall: 100, components: {} },
  ],
  [
    { test: "ieltsAcademic", overall: 6.5, components: eachPart(6) },
    { test: "toefl", overall: 88, components: { writing: 21, speaking: 20 } },
    { test: "pte", overall: 61, components: { writing: 56, speaking: 56 } },
  ],
  [
    { test: "ieltsAcademic", overall: 7, components: { ...eachPart(6.5), writing: 7 } },
    { test: "cambridge", overall: 185, components: { writing: 176 } },
    { test: "toefl", overall: 100, components: { writing: 24 } },
  ],
];

function eachPart(score: number) {
  return { listening: score, reading: score, writing: score, speaking: score };
}

type Grades = readonly Requirement[];

const school = (
  scale: "aLevel" | "wassce" | "nsc" | "ib" | "kcse",
  grade: string,
  country: string | null = null,
) => ({ kind: "qualification", award: "secondary", country, scale, grade }) as const;
const degree = (
  scale: "ukHonours" | "gpa5" | "percent" | "gpa4",
  grade: string,
  country: string | null = null,
) => ({ kind: "qualification", award: "bachelor", country, scale, grade }) as const;

const threeB = { kind: "subjects", least: 3, scale: "aLevel", grade: "B" } as const;

const schoolGrades: readonly Grades[] = [
  [school("aLevel", "C"), school("wassce", "C5"), school("nsc", "60", "ZA")],
  [threeB, school("wassce", "B3"), school("ib", "28"), school("kcse", "B", "KE")],
  [school("aLevel", "A"), school("wassce", "A1"), school("ib", "34"), school("nsc", "75", "ZA")],
];
const degreeGrades: readonly Grades[] = [
  [degree("ukHonours", "Lower second (2:2)"), degree("gpa5", "2.4", "NG"), degree("percent", "50", "IN")],
  [degree("ukHonours", "Upper second (2:1)"), degree("gpa5", "3.5", "NG"), degree("gpa4", "3.0", "GH")],
];

/** Lists the requirements of a course that apply to every way in. */
function besides(course: Course): Requirement[] {
  const isFirst = course.level === "Undergraduate";
  return course.extras.flatMap((extra): Requirement[] => {
    switch (extra) {
      case "mathematics":
        return isFirst ? [{ kind: "subject", subject: "Mathematics", scale: "aLevel", grade: null }] : [];
      case "biology":
        return isFirst ? [{ kind: "subject", subject: "Biology", scale: "aLevel", grade: null }] : [];
      case "portfolio":
        return [{ kind: "text", text: "A portfolio of your own work, ten pages at most." }];
      case "nursing":
        return [{ kind: "work", leastMonths: 12, field: "nursing" }];
      case "management":
        return [{ kind: "work", leastMonths: 24, field: "" }];
      case "teaching":
        return [{ kind: "work", leastMonths: 12, field: "teaching" }];
    }
  });
}

/** Returns the ways into a course: each qualification with each English test. Some programmes have no known ones. */
export function entryRequirementsOf(random: Random, course: Course, country: string): RequirementSet[] {
  if (random.chance(0.06)) return [];
  const all: Requirement[] = [...besides(course)];
  if (country === "AE") all.push({ kind: "age", least: 17, most: null });
  if (country === "CA" && course.level === "Undergraduate") all.push({ kind: "gap", mostYears: 5 });
  const grades = gradesOf(random, course);
  const tests = at(english, levelOfEnglish(random, course));
  return grades.flatMap((grade) =>
    tests
      .slice(0, 3)
      .map(
        (test): RequirementSet => [
          ...(grade === null ? [] : [grade]),
          { kind: "english", years: 2, ...test },
          ...all,
        ],
      ),
  );
}

function levelOfEnglish(random: Random, { level }: Course): number {
  if (level === "Undergraduate") return random.whole(1, 2);
  return level === "Postgraduate" ? random.whole(2, 3) : 0;
}

function gradesOf(random: Random, { level }: Course): readonly (Requirement | null)[] {
  if (level === "Undergraduate") return random.pick(schoolGrades);
  if (level === "Postgraduate") return random.pick(degreeGrades);
  // Learners of English need no grade.
  return level === "Foundation" ? [{ ...school("aLevel", "E"), grade: null }] : [null];
}
