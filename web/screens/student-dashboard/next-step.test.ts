import { expect, test } from "vitest";
import type { DueThing } from "#contract/planned-work.ts";
import { documentKinds } from "#domain/document.ts";
import { type Dashboard, nextStep as stepOf } from "./next-step.ts";

const now = new Date("2031-08-01T12:00:00Z");
const nextStep = (dashboard: Dashboard, ...things: DueThing[]) =>
  stepOf(dashboard, things, now, "Africa/Lagos");

const slots = (state: Dashboard["documents"][number]["state"]) =>
  documentKinds.map((kind) => ({ kind, state, reason: "", enteredBy: null }));
const complete: Dashboard = {
  progress: { overall: 100, profile: 100, documents: 100 },
  missingFields: [],
  entries: [],
  documents: slots("uploaded"),
  agent: null,
  sharingStoppedAt: null,
  applications: 1,
  asks: null,
  confirms: null,
  change: null,
  offer: null,
  reply: null,
};
const rejected = slots("uploaded").with(1, {
  kind: "cv",
  state: "rejected",
  reason: "Page 2 is missing.",
  enteredBy: null,
});
const missingFields = ["dateOfBirth", "gender", "city", "state", "country"] as const;

test("each step comes before all that follow it", () => {
  const first: Dashboard = {
    ...complete,
    documents: slots(null),
    missingFields: [...missingFields],
    applications: 0,
  };
  const behind = { ...first, documents: rejected };
  for (const [state, title] of [
    ["informationRequired", "Answer a question"],
    ["unconditionalOffer", "You have an offer"],
  ] as const)
    expect(
      nextStep({
        ...behind,
        asks: {
          id: "a7",
          program: "LLM Law",
          intake: "Spring Intake (January)",
          university: "",
          year: 2027,
          state,
        },
      }),
    ).toMatchObject({
      title,
      text: expect.stringContaining("LLM Law, Spring Intake 2027"),
      action: { opens: { what: "applications", at: { applicationId: "a7" } } },
    });
  expect(nextStep(behind)).toMatchObject({
    title: "Replace your CV",
    text: "It was rejected: Page 2 is missing.",
    action: { opens: { what: "documents" } },
  });
  expect(nextStep(first)).toMatchObject({
    title: "Complete your profile",
    text: "Still missing: Date of birth, Gender, City and 2 more.",
    action: { opens: { what: "profile" } },
  });
  expect(nextStep({ ...first, missingFields: [] })).toMatchObject({
    title: "Upload your documents",
    text: "Still missing: Transcript, CV, Statement of purpose and 3 more.",
    action: { opens: { what: "documents" } },
  });
  expect(nextStep({ ...complete, applications: 0 })).toMatchObject({
    title: "Start your first application",
    action: { opens: { what: "applications", at: "form" } },
  });
  expect(nextStep(complete)).toMatchObject({
    title: "You're all set",
    action: { opens: { what: "applications", at: "list" } },
  });
});

test("names an open offer with its deadline to reply, or with the condition that is due next", () => {
  const due = (time: string | null) => ({
    date: "2031-08-20",
    time,
    zone: "Europe/London",
    whose: "institution" as const,
    hard: true,
    at: new Date("2031-08-20T16:00:00Z"),
  });
  const offer = {
    id: "a7",
    program: "LLM Law",
    university: "",
    year: null,
    intake: "Spring Intake (January)",
    state: "unconditionalOffer" as const,
    replyBy: due("17:00"),
    openConditions: 2,
    nextCondition: { text: "IELTS 6.5", due: due(null) },
  };
  const asks = { ...offer, state: "informationRequired" as const };
  expect(nextStep({ ...complete, offer })).toMatchObject({
    title: "You have an offer",
    text: expect.stringContaining("Reply by 17:00 on 20 August in London."),
  });
  expect(nextStep({ ...complete, offer: { ...offer, state: "conditionalOffer" } })).toMatchObject({
    title: "Meet the conditions of your offer",
    text: expect.stringMatching(
      /^2 conditions are open .* Next: IELTS 6.5, due the end of 20 August in London/,
    ),
    action: { opens: { at: { applicationId: "a7" } } },
  });
  expect(nextStep({ ...complete, offer, asks })).toMatchObject({ title: "Answer a question" });
});

test("puts a thing due within a week before everything else, and other requests before unrequested steps", () => {
  const asks = {
    id: "a7",
    program: "LLM Law",
    university: "",
    year: null,
    intake: "Spring Intake (January)",
    state: "informationRequired",
  } as const;
  const thing = (date: string | null): DueThing => ({
    thing: "request:1",
    kind: "request",
    id: "1",
    applicationId: null,
    application: null,
    document: "other",
    title: "Bank statement",
    text: "",
    again: false,
    due: date
      ? { date, time: null, zone: "Europe/London", whose: "institution", hard: false, at: new Date(date) }
      : null,
    version: 1,
    muted: false,
  });
  const titleOf = (date: string | null) => nextStep({ ...complete, asks }, thing(date)).title;
  expect(titleOf("2031-07-20")).toBe("Send: Bank statement");
  expect(titleOf("2031-08-08")).toBe("Send: Bank statement");
  expect(titleOf("2031-08-09")).toBe("Answer a question");
  expect(titleOf(null)).toBe("Answer a question");
  expect(nextStep({ ...complete, documents: rejected }, thing(null))).toMatchObject({
    title: "Send: Bank statement",
    action: { opens: { what: "due" } },
  });
  expect(nextStep(complete, thing("2031-07-20")).text).toBe("Overdue by 12 days.");
  expect(nextStep(complete, thing("2031-08-04")).text).toBe("Due in 3 days.");
});

test("puts a conversation to answer after a list to confirm, and before steps that nobody else waits for", () => {
  const application = {
    program: "LLM Law",
    university: "",
    startDate: "Spring Intake (January)",
    year: 2027,
  } as const;
  const reply = { threadId: "t1", application };
  const waiting: Dashboard = { ...complete, missingFields: [...missingFields], reply };
  expect(nextStep(waiting)).toMatchObject({
    title: "Answer a message",
    text: "The conversation about LLM Law, Spring Intake 2027 waits for you.",
    action: { opens: { what: "message", threadId: "t1" } },
  });
  expect(nextStep({ ...waiting, reply: { threadId: "t2", application: null } })).toMatchObject({
    text: "Your conversation about general questions waits for you.",
  });
  expect(nextStep({ ...waiting, confirms: { id: "a7", ...application } })).toMatchObject({
    title: "Confirm what we'll send",
  });
});
