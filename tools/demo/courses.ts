import type { StudyLevel } from "#domain/application.ts";
import type { StudyField } from "#domain/programme.ts";

/** A requirement beside qualifications and English. */
type Extra = "mathematics" | "biology" | "portfolio" | "nursing" | "management" | "teaching";

/** A course of studies: its level, the title after the award, and its unusual requirements. */
export type Course = {
  level: StudyLevel;
  field: StudyField;
  award: string;
  title: string;
  months: number;
  extras: readonly Extra[];
};

type Subject = readonly [subject: string, bachelor: string | null, master: string | null, ...extras: Extra[]];

/** Subjects by field, each with the award of its first degree and of its master's, or null for none. */
const subjects: Record<StudyField, readonly Subject[]> = {
  education: [
    ["Primary Education", "BA", null],
    ["Education and Leadership", null, "MA", "teaching"],
    ["Teaching English to Speakers of Other Languages", null, "MA"],
  ],
  arts: [
    ["Graphic Design", "BA", "MA", "portfolio"],
    ["Creative Writing", "BA", "MA", "portfolio"],
    ["Film and Television Production", "BA", null, "portfolio"],
    ["History", "BA", "MA"],
  ],
  social: [
    ["Economics", "BSc", "MSc", "mathematics"],
    ["Psychology", "BSc", "MSc"],
    ["International Relations", "BA", "MA"],
    ["Journalism", "BA", "MA"],
  ],
  business: [
    ["Business Management", "BSc", null],
    ["Accounting and Finance", "BSc", "MSc", "mathematics"],
    ["International Business", "BA", "MSc"],
    ["Marketing", "BA", "MSc"],
    ["Business Administration", null, "MBA", "management"],
    ["International Law", null, "LLM"],
  ],
  sciences: [
    ["Mathematics", "BSc", "MSc", "mathematics"],
    ["Physics", "BSc", "MSc", "mathematics"],
    ["Environmental Science", "BSc", "MSc"],
    ["Biomedical Science", "BSc", "MSc", "biology"],
  ],
  computing: [
    ["Computer Science", "BSc", "MSc", "mathematics"],
    ["Data Science", "BSc", "MSc", "mathematics"],
    ["Cyber Security", "BSc", "MSc"],
    ["Artificial Intelligence", null, "MSc", "mathematics"],
  ],
  engineering: [
    ["Civil Engineering", "BEng", "MSc", "mathematics"],
    ["Mechanical Engineering", "BEng", "MSc", "mathematics"],
    ["Electrical and Electronic Engineering", "BEng", "MSc", "mathematics"],
    ["Renewable Energy Engineering", null, "MSc", "mathematics"],
  ],
  agriculture: [["Agriculture and Food Security", "BSc", "MSc", "biology"]],
  health: [
    ["Nursing", "BSc", null, "biology"],
    ["Advanced Nursing Practice", null, "MSc", "nursing"],
    ["Public Health", "BSc", "MSc"],
    ["Nutrition", "BSc", null, "biology"],
  ],
  services: [["Hospitality and Tourism Management", "BA", "MSc"]],
};

const foundations: readonly (readonly [title: string, field: StudyField])[] = [
  ["Foundation Year in Business", "business"],
  ["Foundation Year in Engineering", "engineering"],
  ["Foundation Year in Computing", "computing"],
  ["Foundation Year in Health Sciences", "health"],
];

/** Lists the courses that an institution with these fields can teach; null means all fields. */
export function coursesOf(fields: readonly StudyField[] | null): Course[] {
  const teaches = (field: StudyField) => fields === null || fields.includes(field);
  const entries: [StudyField, readonly Subject[]][] = [];
  for (const field of Object.keys(subjects)) if (isField(field)) entries.push([field, subjects[field]]);
  const degrees = entries
    .filter(([field]) => teaches(field))
    .flatMap(([field, list]) => list.flatMap((subject) => degreesIn(field, subject)));
  const others = foundations
    .filter(([, field]) => teaches(field))
    .map(
      ([title, field]): Course => ({ level: "Foundation", field, award: "", title, months: 9, extras: [] }),
    );
  const english: Course[] =
    fields === null
      ? [
          {
            level: "Pre-Sessional",
            field: "arts",
            award: "",
            title: "Pre-Sessional English",
            months: 3,
            extras: [],
          },
          {
            level: "English Language",
            field: "arts",
            award: "",
            title: "General English",
            months: 6,
            extras: [],
          },
        ]
      : [];
  return [...degrees, ...others, ...english];
}

const isField = (text: string): text is StudyField => Object.hasOwn(subjects, text);

function degreesIn(field: StudyField, [subject, bachelor, master, ...extras]: Subject): Course[] {
  const first = { field, title: subject, extras };
  return [
    ...(bachelor === null
      ? []
      : [{ ...first, level: "Undergraduate" as const, award: bachelor, months: 36 }]),
    ...(master === null ? [] : [{ ...first, level: "Postgraduate" as const, award: master, months: 12 }]),
  ];
}
