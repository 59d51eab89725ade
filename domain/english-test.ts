import { monthsBefore } from "#domain/calendar-date.ts";
import { keysOf } from "#domain/keys-of.ts";

/** A scale of scores: from `least` to `most` in steps of `step`. */
type Scale = { least: number; most: number; step: number };
type EnglishTestFacts = {
  label: string;
  overall: Scale;
  /** The parts with their own scores, all on one scale. */
  components: readonly string[];
  component: Scale;
};

const skills = ["listening", "reading", "writing", "speaking"] as const;
const ielts = { least: 0, most: 9, step: 0.5 };
const cambridge = { least: 80, most: 230, step: 1 };
const pearson = { least: 10, most: 90, step: 1 };
const duolingo = { least: 10, most: 160, step: 5 };

/** The English tests whose results Wayfare compares. Scores are never converted from one to another. */
export const englishTestFacts = {
  ieltsAcademic: { label: "IELTS Academic", overall: ielts, components: skills, component: ielts },
  ieltsGeneral: { label: "IELTS General Training", overall: ielts, components: skills, component: ielts },
  toefl: {
    label: "TOEFL iBT",
    overall: { least: 0, most: 120, step: 1 },
    components: skills,
    component: { least: 0, most: 30, step: 1 },
  },
  pte: { label: "PTE Academic", overall: pearson, components: skills, component: pearson },
  duolingo: {
    label: "Duolingo English Test",
    overall: duolingo,
    components: ["literacy", "comprehension", "conversation", "production"],
    component: duolingo,
  },
  cambridge: {
    label: "Cambridge English (B2 First, C1 Advanced, C2 Proficiency)",
    overall: cambridge,
    components: ["reading", "useOfEnglish", "writing", "listening", "speaking"],
    component: cambridge,
  },
} as const satisfies Record<string, EnglishTestFacts>;

export type EnglishTest = keyof typeof englishTestFacts;
export const englishTests = keysOf(englishTestFacts);
export const isEnglishTest = (text: string): text is EnglishTest =>
  englishTests.some((test) => test === text);

/** Years for which programmes accept a result, unless they say otherwise. */
export const usualTestYears = 2;

/** Returns the last start for which a result counts, if it may be `years` old. */
export const lastStartFor = (takenOn: string, years: number): string => monthsBefore(takenOn, -12 * years);

/** Scores of parts, by the part's name. */
export type ComponentScores = Readonly<Record<string, number>>;

/** Returns the label of a part. */
export const componentLabel = (component: string): string =>
  component === "useOfEnglish" ? "use of English" : component;

const fits = ({ least, most, step }: Scale, score: number): boolean =>
  score >= least && score <= most && Number.isInteger((score - least) / step);

const scaleWords = ({ least, most, step }: Scale): string =>
  step === 1 ? `a whole number from ${least} to ${most}` : `from ${least} to ${most} in steps of ${step}`;

/** Returns what is wrong with an overall score, or null. */
export function overallProblem(test: EnglishTest, score: number): string | null {
  const { overall, label } = englishTestFacts[test];
  return fits(overall, score) ? null : `The score of ${label} is ${scaleWords(overall)}.`;
}

/** Returns what is wrong with the scores of the parts, or null. A part may be left out. */
export function componentsProblem(test: EnglishTest, scores: ComponentScores): string | null {
  const { components, component, label } = englishTestFacts[test];
  const names: readonly string[] = components;
  for (const [name, score] of Object.entries(scores)) {
    if (!names.includes(name)) return `${label} has no part "${componentLabel(name)}".`;
    if (!fits(component, score))
      return `The score of ${componentLabel(name)} in ${label} is ${scaleWords(component)}.`;
  }
  return null;
}

/** Formats a score as its test does: 6.5 and 7.0 for IELTS, 92 for TOEFL. */
export const scoreText = (test: EnglishTest, score: number): string =>
  englishTestFacts[test].overall.step === 0.5 ? score.toFixed(1) : String(score);
