import { answered, failing, headed, type Screen, statesOf, waiting } from "./screen.ts";
import type { TestData } from "./test-data.ts";

const noCounts = {
  total: 0,
  country: {},
  level: {},
  field: {},
  language: {},
  mode: {},
  intake: {},
  unknownFee: 0,
};
const pageOf =
  (which: keyof TestData["programmes"]) =>
  ({ programmes }: TestData) =>
    `/programmes/${programmes[which]}`;
const compared =
  (...which: (keyof TestData["programmes"])[]) =>
  ({ programmes }: TestData) =>
    `/compare?${which.map((each) => `p=${programmes[each]}`).join("&")}`;

const longCourse =
  "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz and International Comparative Food Law";
/** Items of a shortlist whose starts have passed, filled up or gone, and a typed one. */
const shortlisted = [
  ...(["open", "notYet", "full", "closed", "removed"] as const).map((state, at) => ({
    id: `item-${state}`,
    university: at === 3 ? "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch University" : "Leeds",
    course: at === 3 ? longCourse : `MSc Nursing ${at + 1}`,
    url: "https://uni.example/nursing",
    programme: {
      id: `programme-${state}`,
      slug: `programme-${state}`,
      intake: { id: `intake-${state}`, year: 2027, month: 9 },
      state,
    },
  })),
  { id: "item-typed", university: "Leeds", course: longCourse, url: null, programme: null },
];

/** Finding, reading and comparing programmes, and applying from the catalogue. */
export const programmeScreens: readonly Screen[] = [
  ...statesOf("/programmes", "visitor", {
    full: { shows: (page) => page.getByRole("link", { name: "Log in as a student" }) },
    "with its filters unfolded": {
      // Only a phone folds the filters.
      before: (page) => page.setViewportSize({ width: 390, height: 844 }),
      open: (page) => page.getByText("Filters", { exact: true }).click(),
      shows: (page) => page.getByLabel("Language"),
    },
    "narrowed, and some compared": {
      at: ({ programmes: { full, long } }) =>
        `/programmes?search=nursing+msc&country=GB&feeUpTo=90000000&mode=fullTime&compare=${full},${long}`,
      shows: (page) => page.getByRole("region", { name: "Comparison" }),
    },
    "nothing, because of a filter": {
      at: () => "/programmes?search=nursing&country=AE&level=Foundation",
      shows: (page) => page.getByRole("heading", { name: "No programme has all of this" }),
    },
    "no programmes at all": {
      // The browser requests searches itself, so that these answers count.
      at: () => "/programmes?search=",
      before: async (page) => {
        await answered("/rpc/programmes/list", { programmes: [], next: null, corrected: null })(page);
        await answered("/rpc/programmes/counts", { ...noCounts, without: {} })(page);
      },
      shows: (page) => page.getByRole("heading", { name: "No programmes yet" }),
    },
    loading: { at: () => "/programmes?search=msc", ...waiting("/rpc/programmes/list", "Loading programmes") },
    failing: { at: () => "/programmes?search=msc", ...failing("/rpc/programmes/list") },
  }),
  ...statesOf("/programmes", "student", {
    "with the record's answers": {
      at: () => "/programmes?search=nursing",
      shows: (page) => page.getByText(/, asked /).first(),
    },
    "one gap": {
      at: () => "/programmes?outcome=gap&sort=gaps",
      shows: (page) => page.getByRole("button", { name: /^One gap/, pressed: true }),
    },
    "nothing, because of the record": {
      at: () => "/programmes?outcome=mayEnter&search=Rindfleisch",
      shows: (page) => page.getByRole("button", { name: /^Without “May enter”/ }),
    },
  }),
  ...statesOf("/programmes/:slug", "visitor", {
    full: { at: pageOf("full"), ...headed("MSc Nursing") },
    "long names": { at: pageOf("long"), ...headed(/^Rindfleisch/) },
    "many ways": { at: pageOf("many"), shows: (page) => page.getByText("One of these tests").first() },
    "little known": { at: pageOf("bare"), ...headed("Foundation Year") },
    removed: { at: pageOf("removed"), shows: (page) => page.getByText("no longer in the catalogue") },
    "404": {
      at: () => "/programmes/no-such-programme",
      complains: "refusals",
      ...headed("Programme not found"),
    },
  }),
  ...statesOf("/programmes/:slug", "student", {
    "with own answers": {
      at: pageOf("full"),
      shows: (page) => page.getByText("Missing: writing 6.0, asked 6.5.").first(),
    },
    "with many ways": {
      at: pageOf("many"),
      shows: (page) => page.getByText(/^Missing: overall 6.5/).first(),
    },
    "with things to enter": {
      at: pageOf("long"),
      shows: (page) => page.getByRole("link", { name: /^Enter/ }).first(),
    },
  }),
  ...statesOf("/programmes/:slug", "agent", {
    "with who fits": {
      at: pageOf("full"),
      shows: (page) => page.getByRole("link", { name: "Which of my students fit?" }),
    },
  }),
  ...statesOf("/compare", "visitor", {
    empty: { shows: (page) => page.getByRole("heading", { name: "Nothing to compare yet" }) },
    loading: {
      at: compared("full"),
      ...waiting("/rpc/programmes/compare", "Loading the comparison"),
    },
    failing: { at: compared("full"), ...failing("/rpc/programmes/compare") },
    two: { at: compared("full", "other"), shows: (page) => page.getByRole("table") },
  }),
  ...statesOf("/compare", "student", {
    "many ways": {
      at: compared("many", "other"),
      shows: (page) => page.getByText(/^Missing: overall 6.5/).first(),
    },
    four: {
      at: compared("full", "other", "long", "bare"),
      shows: (page) => page.getByText("Missing: writing 6.0, asked 6.5.").first(),
    },
  }),
  ...statesOf("/application", "student", {
    "filled from the catalogue": {
      at: ({ programmes }) => `/application?programme=${programmes.full}`,
      shows: (page) => page.getByText("Missing: writing 6.0, asked 6.5."),
    },
    "of an unknown programme": {
      at: () => "/application?programme=no-such-programme",
      complains: "refusals",
      shows: (page) => page.getByText("There is no such programme"),
    },
  }),
  ...statesOf("/shortlist", "student", {
    "with programmes": { shows: (page) => page.getByText("Open", { exact: true }).first() },
    "closed and gone": {
      before: answered("/rpc/shortlist/list", {
        student: { id: "s", name: "Ada Obi" },
        items: shortlisted,
      }),
      shows: (page) => page.getByText("No longer offered"),
    },
  }),
];
