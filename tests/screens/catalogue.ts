import type { Page } from "@playwright/test";
import { answered, dialog, failing, press, statesOf, waiting } from "./screen.ts";

const id = (at: number) => `7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f70${String(at).padStart(2, "0")}`;
const longTitle =
  "MSc International Development, Governance and Public Administration in Sub-Saharan Africa (Extended)";
const longName =
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
const someInstitutions = [
  institution(0, "Example College"),
  institution(1, longName, ["Newcastle Example", "REUSTAAN"]),
];
const programme = (at: number, title: string, changes: object = {}) => ({
  id: id(at),
  slug: `programme-${at}`,
  title,
  level: "Postgraduate",
  institution: { id: id(1), name: at === 1 ? longName : "Example College", country: "GB" },
  checkedOn: at === 0 ? "2025-01-09" : "2026-11-02",
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
const full = async (page: Page) => {
  await answered("/rpc/catalogue/list", { programmes: somePrograms, next: null })(page);
  await answered("/rpc/catalogue/imports", { imports })(page);
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
const stored = answered("/rpc/catalogue/read", {
  id: id(1),
  slug: "development",
  version: 3,
  removed: false,
  institution: { id: id(1), name: longName, country: "GB", zone: "Europe/London" },
  entry,
});
const storedPath = () => `/admin/programmes/${id(1)}`;

const tables = async (page: Page) => {
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

const noTables = async (page: Page) => {
  await answered("/rpc/catalogue/groups", { groups: [] })(page);
  await answered("/rpc/catalogue/equivalences", { equivalences: [] })(page);
  await answered("/rpc/catalogue/rates", { rates: [] })(page);
  await answered("/rpc/catalogue/agreements", { agreements: [] })(page);
};

/** The screens on which admins keep the catalogue of programmes. */
export const catalogueScreens = [
  ...statesOf("/admin/programmes", "admin", {
    full: { before: full, shows: (page) => page.getByRole("list", { name: "Imports" }) },
    empty: {
      before: answered("/rpc/catalogue/list", { programmes: [], next: null }),
      shows: (page) => page.getByRole("heading", { name: "No programmes" }),
    },
    "import dialog": {
      before: full,
      open: (page) => press(page, "Import a file"),
      ...dialog("Import programmes"),
    },
    loading: waiting("/rpc/catalogue/list", "Loading programmes"),
    failing: failing("/rpc/catalogue/list"),
  }),
  ...statesOf("/admin/programmes/:programmeId", "admin", {
    new: {
      at: () => "/admin/programmes/new",
      shows: (page) => page.getByRole("heading", { name: "Add a programme", level: 1 }),
    },
    full: {
      at: storedPath,
      before: stored,
      shows: (page) => page.getByRole("group", { name: "Way in 2: all of this" }),
    },
    loading: { at: storedPath, ...waiting("/rpc/catalogue/read", "Loading the programme") },
    failing: { at: storedPath, ...failing("/rpc/catalogue/read") },
  }),
  ...statesOf("/admin/institutions", "admin", {
    full: {
      before: async (page) => {
        await answered("/rpc/catalogue/institutions", { institutions: someInstitutions, next: null })(page);
        const [one, other] = someInstitutions;
        await answered("/rpc/catalogue/similarInstitutions", { pairs: [{ one, other }] })(page);
      },
      shows: (page) => page.getByRole("list", { name: "Pairs" }),
    },
    empty: {
      before: answered("/rpc/catalogue/institutions", { institutions: [], next: null }),
      shows: (page) => page.getByRole("heading", { name: "No institutions" }),
    },
    "edit dialog": {
      before: answered("/rpc/catalogue/institutions", { institutions: someInstitutions, next: null }),
      open: (page) => press(page, `Edit ${longName}`),
      ...dialog("Edit an institution"),
    },
    loading: waiting("/rpc/catalogue/institutions", "Loading institutions"),
    failing: failing("/rpc/catalogue/institutions"),
  }),
  ...statesOf("/admin/programme-tables", "admin", {
    full: { before: tables, shows: (page) => page.getByRole("list", { name: "Agreements" }) },
    empty: { before: noTables, shows: (page) => page.getByText("No agreements.") },
    "grade dialog": {
      before: tables,
      open: (page) => press(page, "Add a row"),
      ...dialog("Add what a grade counts as"),
    },
    loading: waiting("/rpc/catalogue/groups", "Loading: Groups of nationalities"),
    failing: failing("/rpc/catalogue/groups"),
  }),
];
