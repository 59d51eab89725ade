import type { Page } from "@playwright/test";
import type { ApplicationState } from "#domain/application.ts";
import { answered, failing, type Screen, statesOf, waiting } from "./screen.ts";

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
/** An application in this state, as an agent sees it whose student this isn't. */
const inState = (state: ApplicationState, endedFrom: ApplicationState | null = null) =>
  answered(path, {
    mover: null,
    student: { id: "someone", name: "Bartholomew-Maximilian Featherstonehaugh-Cholmondeley" },
    application: { ...application, state },
    endedFrom,
  });
const stages = (label: string): Pick<Screen, "shows"> => ({
  shows: (screen) =>
    screen.getByRole("list", { name: "Stages of the application" }).getByText(label, { exact: true }),
});

export const applicationScreens: readonly Screen[] = [
  ...statesOf("/application/:applicationId", "student", {
    full: { ...page, open: everything, ...stages("Information required") },
    "with an offer": offered,
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
    rejected: { ...page, before: inState("rejected", "sentToUniversity"), ...stages("Rejected") },
    enrolled: { ...page, before: inState("enrolled"), ...stages("Enrolled") },
  }),
  ...statesOf("/application/:applicationId", "admin", {
    full: { ...page, open: everything, ...stages("Information required") },
    "with an offer": offered,
  }),
];
