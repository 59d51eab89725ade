import { englishTestFacts, englishTests } from "#domain/english-test.ts";
import {
  awards,
  type Equivalence,
  type GradeScaleName,
  gradeScaleNames,
  gradeScales,
} from "#domain/qualification.ts";
import { type Requirement, type RequirementKind, requirementKinds } from "#domain/requirement.ts";
import { randomFrom } from "#domain/seeded-random.ts";
import type { Qualification, StudyRecord, TestResult } from "#domain/study-record.ts";

/** Returns functions that draw records and requirements; equal seeds draw the same. */
export function randomOf(seed: number) {
  const random = randomFrom(seed);
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  return {
    whole,
    chance: (share: number) => random() < share,
    pick<Each>(list: readonly Each[]): Each {
      const item = list[whole(0, list.length - 1)];
      if (item === undefined) throw new Error("there is nothing to pick from");
      return item;
    },
    times: <Each>(least: number, most: number, make: () => Each): Each[] =>
      Array.from({ length: whole(least, most) }, make),
  };
}
export type Random = ReturnType<typeof randomOf>;

const countries = ["NG", "GH", "KE", "ZA", "IN"];
const subjects = ["Mathematics", "Further Mathematics", "Physics", "English", "Économie"];

/** Returns a grade of a scale, somewhere in its middle. */
function gradeOf(random: Random, name: GradeScaleName): string {
  const scale = gradeScales[name];
  if ("grades" in scale) return random.pick(scale.grades);
  const step = 10 ** scale.decimals;
  const grade = random.whole(scale.least * step, scale.most * step) / step;
  return String(grade);
}

const day = (random: Random, first: number, last: number): string =>
  [random.whole(first, last), random.whole(1, 12), random.whole(1, 28)]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");

function scores(random: Random, test: (typeof englishTests)[number], share: number) {
  const { overall, components, component } = englishTestFacts[test];
  // Around two thirds of the scale, where students and requirements meet.
  const near = ({ least, most, step }: { least: number; most: number; step: number }) => {
    const steps = Math.round((most - least) / step);
    return least + step * random.whole(Math.floor(steps * 0.55), Math.floor(steps * 0.85));
  };
  const parts = components.flatMap((name) =>
    random.chance(share) ? [[name, near(component)] as const] : [],
  );
  return { overall: near(overall), components: Object.fromEntries(parts) };
}

/** The more usual tests and scales are drawn more often, so that records and requirements meet. */
const usualTest = (random: Random) => (random.chance(0.6) ? "ieltsAcademic" : random.pick(englishTests));
const usualScale = (random: Random): GradeScaleName =>
  random.chance(0.5)
    ? random.pick(["wassce", "ukHonours", "percent"] as const)
    : random.pick(gradeScaleNames);

const requirementOf: Record<RequirementKind, (random: Random) => Requirement> = {
  qualification(random) {
    const scale = usualScale(random);
    return {
      kind: "qualification",
      country: random.chance(0.7) ? null : random.pick(countries),
      award: random.pick(awards),
      scale,
      grade: random.chance(0.2) ? null : gradeOf(random, scale),
    };
  },
  english(random) {
    const test = usualTest(random);
    return { kind: "english", test, ...scores(random, test, 0.4), years: random.whole(1, 5) };
  },
  subject(random) {
    const scale = usualScale(random);
    const grade = random.chance(0.3) ? null : gradeOf(random, scale);
    return { kind: "subject", subject: random.pick(subjects), scale, grade };
  },
  subjects(random) {
    const scale = usualScale(random);
    return { kind: "subjects", least: random.whole(1, 3), scale, grade: gradeOf(random, scale) };
  },
  age(random) {
    const least = random.chance(0.7) ? random.whole(16, 21) : null;
    return { kind: "age", least, most: least === null || random.chance(0.3) ? random.whole(21, 40) : null };
  },
  gap: (random) => ({ kind: "gap", mostYears: random.whole(0, 8) }),
  work: (random) => ({
    kind: "work",
    leastMonths: random.whole(1, 36),
    field: random.chance(0.3) ? "Nursing" : "",
  }),
  text: (random) => ({ kind: "text", text: random.pick(["A portfolio", "An interview", "Two references"]) }),
};

/** Returns a requirement of any kind that passes every check. */
export const randomRequirement = (random: Random): Requirement =>
  requirementOf[random.pick([...requirementKinds, "english", "qualification"] as const)](random);

function randomQualification(random: Random): Qualification {
  const scale = usualScale(random);
  return {
    country: random.pick(countries),
    award: random.pick(awards),
    name: "Certificate",
    scale,
    grade: random.chance(0.15) ? "" : gradeOf(random, scale),
    year: random.whole(2018, 2029),
    subjects: random.times(0, 3, () => ({
      subject: random.pick(subjects),
      grade: random.chance(0.15) ? "" : gradeOf(random, scale),
    })),
  };
}

function randomTest(random: Random): TestResult {
  const test = usualTest(random);
  return { test, takenOn: day(random, 2023, 2026), ...scores(random, test, 0.85) };
}

export const randomRecord = (random: Random): StudyRecord => ({
  dateOfBirth: random.chance(0.15) ? "" : day(random, 1985, 2011),
  workMonths: random.chance(0.3) ? null : random.whole(0, 40),
  qualifications: random.times(0, 4, () => randomQualification(random)),
  tests: random.times(0, 3, () => randomTest(random)),
});

/** Returns a random row of the consultancy's table of grade equivalences. */
export function randomEquivalence(random: Random): Equivalence {
  const [fromScale, toScale] = [usualScale(random), usualScale(random)];
  const firstYear = random.chance(0.3) ? random.whole(2015, 2024) : null;
  return {
    fromScale,
    fromGrade: gradeOf(random, fromScale),
    toScale,
    toGrade: gradeOf(random, toScale),
    firstYear,
    lastYear: random.chance(0.2) ? (firstYear ?? 2020) + 3 : null,
    source: "A table",
  };
}
