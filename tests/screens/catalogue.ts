import {
  checkFile,
  different,
  entryAnswer,
  full,
  imported,
  joinable,
  longName,
  manyRows,
  noTables,
  pairs,
  report,
  someInstitutions,
  storedEntry,
  storedPath,
  tables,
  undone,
} from "./catalogue-data.ts";
import { answered, dialog, failing, press, statesOf, waiting } from "./screen.ts";

/** The screens on which admins edit the catalogue of programmes. */
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
    "import checked": {
      before: full,
      open: checkFile(report),
      shows: (page) => page.getByRole("region", { name: "What the file would do" }),
    },
    "import that changes nothing": {
      before: full,
      open: checkFile({
        ...report,
        counts: { new: 0, changed: 0, unchanged: 340, refused: 0 },
        rows: [],
        newInstitutions: [],
        missing: { count: 0, programmes: [] },
      }),
      shows: (page) => page.getByRole("region", { name: "What the file would do" }),
    },
    "import done": {
      before: full,
      open: imported(report),
      shows: (page) => page.getByRole("region", { name: "What the file has done" }),
    },
    "undo that left some": { before: full, open: undone, ...dialog("Left as they are") },
    "undo dialog": {
      before: full,
      open: (page) => press(page, "Undo the import of admissions.reustaan.example.ac.uk"),
      ...dialog("Undo this import?"),
    },
    chosen: {
      before: full,
      open: (page) => press(page, "Choose all shown"),
      // A programme that was removed can't be checked, so it isn't chosen either.
      shows: (page) =>
        page
          .getByRole("main")
          .filter({ has: page.getByRole("button", { name: "Checked today: 3" }) })
          .filter({ has: page.getByRole("checkbox", { name: "Choose MA Music", checked: false }) }),
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
      before: entryAnswer,
      shows: (page) => page.getByRole("group", { name: "Way in 2: all of this" }),
    },
    "joining two programmes": {
      at: storedPath,
      before: joinable,
      open: async (page) => {
        await press(page, "Join with another programme of this university");
        await page.getByLabel("The other programme").selectOption({ index: 1 });
      },
      shows: (page) => page.getByText(/Starts that move/),
    },
    "joining two programmes, none chosen": {
      at: storedPath,
      before: joinable,
      open: (page) => press(page, "Join with another programme of this university"),
      ...dialog("Join with another programme"),
    },
    "adding an institution": {
      at: () => "/admin/programmes/new",
      open: (page) => press(page, "Add an institution"),
      ...dialog("Add an institution"),
    },
    "lines that can't be read": {
      at: storedPath,
      before: entryAnswer,
      open: async (page) => {
        await press(page, "Add another way in");
        await page.getByLabel("Fees").fill("tuition 14,500 GBP a year 2026/27 international");
        await press(page, "Save the programme");
        await page.getByRole("dialog", { name: "Not Saved" }).getByRole("button").last().click();
      },
      shows: (page) => page.getByText(/needs an amount in plain digits/),
    },
    removed: {
      at: storedPath,
      before: answered("/rpc/catalogue/read", { ...storedEntry, removed: true }),
      shows: (page) => page.getByText("Saving it brings it back."),
    },
    loading: { at: storedPath, ...waiting("/rpc/catalogue/read", "Loading the programme") },
    failing: { at: storedPath, ...failing("/rpc/catalogue/read") },
  }),
  ...statesOf("/admin/institutions", "admin", {
    full: {
      before: pairs,
      shows: (page) => page.getByRole("list", { name: "Pairs" }),
    },
    empty: {
      before: answered("/rpc/catalogue/institutions", { institutions: [], next: null }),
      shows: (page) => page.getByRole("heading", { name: "No institutions" }),
    },
    "pairs said to be different": {
      before: async (page) => {
        await pairs(page);
        await answered("/rpc/catalogue/differentInstitutions", { pairs: different, next: "more" })(page);
      },
      shows: (page) => page.getByRole("list", { name: "Different institutions" }),
    },
    "join dialog": {
      before: pairs,
      open: (page) => press(page, `Keep the second: ${longName}`),
      ...dialog("Join the two?"),
    },
    "join dialog of any two": {
      before: answered("/rpc/catalogue/institutions", { institutions: someInstitutions, next: null }),
      open: (page) => press(page, `Join ${longName} into another`),
      ...dialog("Join into another institution"),
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
    "many rows": {
      before: manyRows,
      shows: (page) => page.getByRole("list", { name: "Agreements" }),
    },
    "group dialog": {
      before: tables,
      open: (page) => press(page, "Edit West Africa"),
      ...dialog("Edit a group"),
    },
    "rates dialog": { before: tables, open: (page) => press(page, "Enter rates"), ...dialog("Enter rates") },
    "agreement dialog": {
      before: tables,
      open: (page) => press(page, "Add an agreement"),
      ...dialog("Add an agreement"),
    },
    "grade dialog": {
      before: tables,
      open: (page) => press(page, "Add a row"),
      ...dialog("Add what a grade counts as"),
    },
    loading: waiting("/rpc/catalogue/groups", "Loading: Groups of nationalities"),
    failing: failing("/rpc/catalogue/groups"),
  }),
];
