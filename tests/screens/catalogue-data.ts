import type { Page } from "@playwright/test";
import { answered, press } from "./screen.ts";

const id = (at: number) => `7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f70${String(at).padStart(2, "0")}`;
const longTitle =
  "MSc International Development, Governance and Public Administration in Sub-Saharan Africa (Extended)";
export const longName =
  "The Royal Example University of Science, Technology and the Applied Arts of Newcastle-upon-Tyne";

const institution = (at: number, name: string, otherNames: string[] = []) => ({
  id: id(at),
  name,
  country: "GB" as const,
  place: at === 0 ? "" : "Newcastle-upon-Tyne",
  zone: "Europe/London",
  website: "",
  otherNames,
  version: 1,
  programmes: at * 1240,
});
export const someInstitutions = [
  institution(0, "Example College"),
  institution(1, longName, ["Newcastle Example", "REUSTAAN"]),
];
/** Shows two institutions that may be the same. */
export const pairs = async (page: Page) => {
  await answered("/rpc/catalogue/institutions", { institutions: someInstitutions, next: null })(page);
  const [one, other] = someInstitutions;
  await answered("/rpc/catalogue/similarInstitutions", { pairs: [{ one, other }] })(page);
};
/** Pairs that are marked as different. */
export const different = [
  {
    one: institution(2, "Trinity College"),
    other: institution(3, "Trinity Còllege"),
    by: "Anneliese van der Merwe-Okonkwo",
    at: new Date("2026-11-20T09:30:00.000Z"),
  },
  {
    one: institution(1, longName),
    other: institution(4, "Newcastle Example"),
    by: null,
    at: new Date("2026-11-02T09:30:00.000Z"),
  },
];
const programme = (at: number, title: string, changes: object = {}) => ({
  id: id(at),
  slug: `programme-${at}`,
  title,
  level: "Postgraduate",
  institution: { id: id(1), name: at === 1 ? longName : "Example College", country: "GB" },
  checkedOn: at === 0 ? "2025-01-09" : "2026-11-02",
  checkedBy: [null, "Anneliese van der Merwe-Okonkwo", "Ann Obi"][at] ?? null,
  source: at === 1 ? "admissions.reustaan.example.ac.uk" : "example.com",
  sample: false,
  removed: false,
  version: 1,
  ...changes,
});
const somePrograms = [
  programme(0, "MSc Nursing"),
  programme(1, longTitle),
  programme(2, "BSc Economics", { sample: true }),
  programme(3, "MA Music", { removed: true }),
];
const imports = [
  {
    id: id(20),
    source: "admissions.reustaan.example.ac.uk",
    startedAt: new Date("2026-11-22T03:23:00.000Z"),
    finishedAt: new Date("2026-11-22T03:24:00.000Z"),
    undoneAt: null,
    added: 19_204,
    changed: 12,
    undoable: true,
  },
  {
    id: id(21),
    source: "example.com",
    startedAt: new Date("2026-11-21T03:23:00.000Z"),
    finishedAt: null,
    undoneAt: null,
    added: 40,
    changed: 0,
    undoable: false,
  },
];
const aLongList = Array.from({ length: 60 }, (_, at) => ({
  number: at + 1,
  title: at % 7 === 3 ? longTitle : `MSc Nursing ${at + 1}`,
  outcome: (["new", "changed", "refused"] as const)[at % 3] ?? "new",
  fields: at % 3 === 1 ? ["fees", "intakes", "requirementSets"] : [],
  why: at % 3 === 2 ? "Fees: “tuition 14,500 GBP a year 2026/27 all” needs an amount in plain digits." : "",
  id: null,
}));
/** The report on a file that would change a lot. */
export const report = {
  hash: "0".repeat(64),
  source: "admissions.reustaan.example.ac.uk",
  counts: { new: 19_204, changed: 12, unchanged: 340, refused: 20 },
  rows: aLongList,
  newInstitutions: [longName, "Example College"],
  missing: {
    count: 17_903,
    programmes: [
      { id: id(1), title: longTitle },
      { id: id(2), title: "BSc Economics" },
    ],
  },
};
/** Chooses a file in the dialog of imports, and has it checked, with this answer. */
export const checkFile = (answer: object) => async (page: Page) => {
  await page.route("**/files/programme-imports*", (route) => route.fulfill({ json: answer }));
  await press(page, "Import a file");
  await page.getByLabel("File", { exact: true }).setInputFiles({
    name: "programmes.json",
    mimeType: "application/json",
    buffer: Buffer.from("[]"),
  });
  await page.getByRole("button", { name: "Check the file" }).click();
};

/** Imports the file, after it was checked. */
export const imported = (answer: object) => async (page: Page) => {
  await checkFile(answer)(page);
  await page.getByRole("button", { name: "Import", exact: true }).click();
};
/** Undoes an import, with more remaining programmes than the answer lists. */
export const undone = async (page: Page) => {
  await answered("/rpc/catalogue/undoImport", {
    restored: 12,
    removed: 18_900,
    leftCount: 304,
    left: aLongList.slice(0, 20).map(({ title }, at) => ({
      id: id(at),
      title,
      why: "Its deadlines were for “West Africa”, a group that has since been renamed or removed.",
    })),
  })(page);
  await press(page, "Undo the import of admissions.reustaan.example.ac.uk");
  await press(page, "Undo the import");
};

export const full = async (page: Page) => {
  await answered("/rpc/catalogue/list", { programmes: somePrograms, next: null })(page);
  await answered("/rpc/catalogue/imports", { imports })(page);
  await answered("/rpc/catalogue/sources", {
    sources: [
      { source: "admissions.reustaan.example.ac.uk", programmes: 19_204 },
      { source: "example.com", programmes: 1240 },
    ],
  })(page);
};

const entry = {
  title: longTitle,
  level: "Postgraduate",
  field: "social",
  award: "MSc",
  months: 12,
  mode: "fullTime",
  language: "en",
  url: "https://example.com/development",
  checkedOn: "2026-11-02",
  source: "example.com",
  sourceId: "dev-1",
  sample: false,
  intakes: [
    {
      year: 2027,
      month: 9,
      state: "open",
      deadlines: [{ kind: "applyBy", group: "West Africa", date: "2027-05-31", time: "17:00", hard: true }],
    },
  ],
  fees: [
    {
      kind: "tuition",
      amount: 2_850_000,
      currency: "GBP",
      per: "year",
      academicYear: 2027,
      audience: "international",
    },
  ],
  requirementSets: [
    [
      { kind: "qualification", country: "NG", award: "bachelor", scale: "gpa5", grade: "3.50" },
      { kind: "english", test: "ieltsAcademic", overall: 6.5, components: { writing: 6 }, years: 2 },
    ],
    [{ kind: "text", text: "A portfolio of ten works" }],
  ],
};
export const storedEntry = {
  id: id(1),
  slug: "development",
  version: 3,
  removed: false,
  checkedBy: "Anneliese van der Merwe-Okonkwo",
  institution: { id: id(1), name: longName, country: "GB", zone: "Europe/London" },
  entry,
};
export const entryAnswer = answered("/rpc/catalogue/read", storedEntry);
export const storedPath = () => `/admin/programmes/${id(1)}`;

/** Shows a programme with others of its university, one of which would bring a lot along if merged. */
export const joinable = async (page: Page) => {
  await entryAnswer(page);
  await answered("/rpc/catalogue/list", { programmes: somePrograms, next: null })(page);
  await answered("/rpc/catalogue/joinProgramme", {
    intakes: [
      { year: 2028, month: 1 },
      { year: 2028, month: 9 },
    ],
    kept: [{ year: 2027, month: 9 }],
    sourceIds: [
      { source: "admissions.reustaan.example.ac.uk", sourceId: "PG-2027-000418-NURS-FT-NEWCASTLE" },
    ],
    shortlisted: 1240,
    doubled: 1,
    applications: 12,
  })(page);
};

export const tables = async (page: Page) => {
  await answered("/rpc/catalogue/groups", {
    groups: [
      { id: id(30), name: "West Africa", countries: ["BJ", "BF", "CI", "GH", "GN", "NG", "SN", "TG"] },
    ],
  })(page);
  await answered("/rpc/catalogue/equivalences", {
    equivalences: [
      {
        id: id(31),
        fromScale: "gpa5",
        fromGrade: "4.50",
        toScale: "ukHonours",
        toGrade: "First",
        firstYear: 2015,
        lastYear: null,
        source: "UK ENIC, 2026",
      },
    ],
  })(page);
  await answered("/rpc/catalogue/rates", {
    rates: [{ day: "2026-11-20", currency: "GBP", perRand: "0.0432" }],
  })(page);
  await answered("/rpc/catalogue/agreements", {
    agreements: [{ institutionId: id(1), name: longName, country: "GB" }],
  })(page);
};

/** Shows tables as they may be after some years, with the longest possible names. */
export const manyRows = async (page: Page) => {
  const places = Array.from({ length: 30 }, (_, at) => at);
  await answered("/rpc/catalogue/groups", {
    groups: places.slice(0, 6).map((at) => ({
      id: id(30 + at),
      name: at === 2 ? "Everybody who needs a short-term study visa and a sponsor ".repeat(2) : `Group ${at}`,
      countries: ["BJ", "BF", "CI", "GH", "GN", "NG", "SN", "TG", "IN", "PK", "BD", "NP", "LK", "VN", "CN"],
    })),
  })(page);
  await answered("/rpc/catalogue/equivalences", {
    equivalences: places.map((at) => ({
      id: id(at),
      fromScale: "gpa5",
      fromGrade: `4.${at + 10}`,
      toScale: "ukHonours",
      toGrade: at % 2 === 0 ? "First" : "Upper second (2:1)",
      firstYear: at % 3 === 0 ? null : 2015,
      lastYear: at % 4 === 0 ? 2026 : null,
      source: at === 1 ? "The consultancy's own table, agreed with the admissions offices" : "UK ENIC, 2026",
    })),
  })(page);
  await answered("/rpc/catalogue/rates", {
    rates: ["AED", "CAD", "EUR", "GBP", "JPY", "NGN", "USD"].map((currency) => ({
      day: "2026-11-20",
      currency,
      perRand: "0.0432",
    })),
  })(page);
  await answered("/rpc/catalogue/agreements", {
    agreements: places.slice(0, 12).map((at) => ({
      institutionId: id(at),
      name: at === 1 ? longName : `Example College ${at}`,
      country: "GB",
    })),
  })(page);
};

export const noTables = async (page: Page) => {
  await answered("/rpc/catalogue/groups", { groups: [] })(page);
  await answered("/rpc/catalogue/equivalences", { equivalences: [] })(page);
  await answered("/rpc/catalogue/rates", { rates: [] })(page);
  await answered("/rpc/catalogue/agreements", { agreements: [] })(page);
};
