import type { Page } from "@playwright/test";
import type { ApplicationState } from "#domain/application.ts";
import type { Mover } from "#domain/application-step.ts";
import { answered, dialog, failing, press, type Screen, statesOf, waiting } from "./screen.ts";

const path = "/rpc/applications/read";
/** Waits for the parts that load after the application itself. */
const everything = async (page: Page): Promise<void> => {
  const timeline = page.getByRole("region", { name: "Timeline", exact: true });
  await timeline.getByRole("listitem").last().waitFor();
  await page.getByRole("listitem", { name: "Passport" }).waitFor();
  await page.getByLabel(/^Message to/).waitFor();
};
const page = { at: ({ applicationId }: { applicationId: string }) => `/application/${applicationId}` };

const offered = {
  at: ({ offeredId }: { offeredId: string }) => `/application/${offeredId}`,
  open: everything,
  shows: (page: Page) => page.getByRole("heading", { name: "What was sent" }),
};

const due = {
  date: "2027-08-12",
  time: "17:00",
  zone: "Europe/London",
  whose: "institution",
  hard: true,
  at: new Date("2027-08-12T16:00:00.000Z"),
};
/** Returns an accepted offer whose deposit is paid, as this participant sees it. */
const paid = (mover: Mover) => ({
  ...offered,
  before: answered("/rpc/offers/ofApplication", {
    mover,
    state: "accepted",
    version: 5,
    studentZone: "Africa/Lagos",
    offer: {
      conditions: [],
      replyBy: due,
      deposit: {
        amount: 400_000,
        currency: "GBP",
        due,
        paid: {
          on: "2027-08-01",
          by: { name: "Bartholomew-Maximilian Featherstonehaugh-Cholmondeley", agency: "North Star" },
        },
      },
      startDate: "2027-09-20",
      rank: "first",
      letter: null,
      updatedAt: new Date("2027-08-01T09:00:00.000Z"),
    },
  }),
  shows: (screen: Page) => screen.getByText("marked by"),
});

/** Shows the student's application in review, with a list to confirm. */
const listToConfirm = async (screen: Page): Promise<void> => {
  await screen.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    const { json, meta } = await response.json();
    json.application.state = "inReview";
    await route.fulfill({ json: { json, meta } });
  });
  await answered("/rpc/applications/confirmation", {
    state: "asked",
    hash: "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
    list: {
      program: "MSc Data Science",
      university: "University of Leeds",
      startDate: "Spring Intake (January)",
      year: 2027,
      documents: [
        { kind: "transcript", name: "", id: "1", version: "9f86d081884c7d65", enteredBy: null },
        {
          kind: "other",
          name: "Bank statement of the last six months",
          id: "2",
          version: "60303ae22b998861",
          enteredBy: null,
        },
      ],
    },
    askedAt: new Date("2026-11-20T09:00:00.000Z"),
    confirmedAt: null,
    sentAt: null,
  })(screen);
  await screen.route("**/rpc/applications/confirmList", (route) =>
    route.fulfill({ status: 403, json: { json: emailedCodeAsked } }),
  );
  await answered("/rpc/signInMethods/sendMailboxCode", { done: true })(screen);
};
const emailedCodeAsked = {
  defined: true,
  code: "account/mailbox-code",
  status: 403,
  message: "Please enter the code we email you first.",
};
const confirming = async (screen: Page): Promise<void> => {
  await everything(screen);
  await press(screen, "Confirm this list");
};

const application = {
  id: "7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6d01",
  program:
    "MSc International Business with a Year in Industry and an Optional Placement at a Partner Company Abroad",
  university: "Trinity College Dublin, the University of Dublin",
  year: 2027,
  highestStudyLevel: "Postgraduate",
  countries: ["GB", "IE"],
  startDate: "Spring Intake (January)",
  additionalInfo: "",
  note: "The programme is full for this intake. Let's look at the January one.",
  version: 4,
  createdAt: new Date("2026-10-01T09:00:00.000Z"),
  updatedAt: new Date("2026-11-20T09:00:00.000Z"),
};
/** Shows an application in this state, as an agent sees it who isn't the student's. */
const inState =
  (state: ApplicationState, endedFrom: ApplicationState | null = null) =>
  async (screen: Page): Promise<void> => {
    await answered(path, {
      mover: null,
      student: { id: "someone", name: "Bartholomew-Maximilian Featherstonehaugh-Cholmondeley" },
      application: { ...application, state },
      endedFrom,
    })(screen);
    await answered("/rpc/applications/timeline", { steps: [], next: null })(screen);
    const offer = { mover: "agent", state, version: 4, studentZone: "Africa/Lagos", offer: null };
    await answered("/rpc/offers/ofApplication", offer)(screen);
  };
const stages = (label: string): Pick<Screen, "shows"> => ({
  shows: (screen) =>
    screen.getByRole("list", { name: "Stages of the application" }).getByText(label, { exact: true }),
});

export const applicationScreens: readonly Screen[] = [
  ...statesOf("/application/:applicationId", "student", {
    full: { ...page, open: everything, ...stages("Information required") },
    "with an offer": offered,
    "deposit paid": paid("student"),
    "list to confirm": {
      ...page,
      before: listToConfirm,
      open: everything,
      shows: (screen) => screen.getByRole("button", { name: "Confirm this list" }),
    },
    "list to confirm, code not asked for": {
      ...page,
      before: listToConfirm,
      open: confirming,
      shows: (screen) => screen.getByRole("button", { name: "Email me a code" }),
      complains: "refusals",
    },
    "list to confirm, code on its way": {
      ...page,
      before: listToConfirm,
      open: async (screen) => {
        await confirming(screen);
        await press(screen, "Email me a code");
      },
      shows: (screen) => screen.getByLabel("Code from the email"),
      complains: "refusals",
    },
    missing: {
      at: () => "/application/7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6d99",
      shows: (screen) => screen.getByRole("heading", { name: "Application not found" }),
      complains: "refusals",
    },
    loading: { ...page, ...waiting(path, "Loading the application") },
    failing: { ...page, ...failing(path) },
  }),
  ...statesOf("/application/:applicationId", "agent", {
    full: { ...page, open: everything, ...stages("Information required") },
    "with an offer": offered,
    "deposit paid": paid("agent"),
    "deposit dialog": {
      ...offered,
      open: async (screen) => {
        await everything(screen);
        await screen.getByRole("button", { name: "Mark deposit as paid" }).click();
      },
      ...dialog("Deposit paid"),
    },
    rejected: { ...page, before: inState("rejected", "sentToUniversity"), ...stages("Rejected") },
    enrolled: { ...page, before: inState("enrolled"), ...stages("Enrolled") },
  }),
  ...statesOf("/application/:applicationId", "admin", {
    full: { ...page, open: everything, ...stages("Information required") },
    "with an offer": offered,
  }),
];
