import { expect, test } from "vitest";
import { documentKinds } from "#domain/document.ts";
import { type Dashboard, nextStep } from "./next-step.ts";

const slots = (state: Dashboard["documents"][number]["state"]) =>
  documentKinds.map((kind) => ({ kind, state, reason: "" }));
const complete: Dashboard = {
  progress: { overall: 100, profile: 100, documents: 100 },
  missingFields: [],
  documents: slots("uploaded"),
  agent: null,
  applications: 1,
  asks: null,
};
const rejected = slots("uploaded").with(1, { kind: "cv", state: "rejected", reason: "Page 2 is missing." });
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
        asks: { id: "a7", program: "LLM Law", intake: "Spring Intake (January)", state },
      }),
    ).toMatchObject({
      title,
      text: expect.stringContaining("LLM Law, Spring Intake"),
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
