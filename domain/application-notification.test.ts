import { describe, expect, test } from "vitest";
import { applicationDetails, applicationsTitle, applicationTitle } from "./application-notification.ts";

const about = { program: "PhD Marine Law", intake: "Fall Intake (August or September)" };
const fromZoe = { ...about, student: "Zoë O'Brien" };

describe("tells the agent what a student did", () => {
  test.each([
    [{ state: "submitted" }, "New application from Zoë O'Brien: PhD Marine Law, Fall Intake", ""],
    [
      { from: "informationRequired", state: "inReview", note: "Cork,\nplease." },
      'Zoë O\'Brien has answered: "Cork, please."',
      "For PhD Marine Law, Fall Intake.",
    ],
    [
      { from: "unconditionalOffer", state: "accepted", note: "Thank you!" },
      "Zoë O'Brien has accepted the offer for PhD Marine Law, Fall Intake",
      "Note: Thank you!",
    ],
    [
      { from: "inReview", state: "withdrawn" },
      "Zoë O'Brien has withdrawn the application for PhD Marine Law, Fall Intake",
      "",
    ],
  ])("%j", (step, title, details) => {
    expect(applicationTitle({ ...fromZoe, ...step })).toBe(title);
    expect(applicationDetails({ ...fromZoe, ...step })).toBe(details);
  });

  test("a long answer is cut in the title and whole in the details", () => {
    const note = "I'd like Cork, ".repeat(20).trim();
    const answer = { ...fromZoe, from: "informationRequired", state: "inReview", note };
    expect(applicationTitle(answer)).toMatch(/^Zoë O'Brien has answered: "I'd like Cork, .{60,70}…"$/);
    expect(applicationDetails(answer)).toBe(`"${note}" For PhD Marine Law, Fall Intake.`);
  });
});

test.each<[Record<string, string>, string]>([
  [
    { state: "informationRequired", note: "Which campus?" },
    "We need more information for PhD Marine Law, Fall Intake",
  ],
  [{ state: "unconditionalOffer" }, "You have an unconditional offer for PhD Marine Law, Fall Intake"],
  [{ state: "rejected", note: "Full." }, "Your application for PhD Marine Law, Fall Intake was rejected"],
])("the student is told %j as %s", (step, title) => {
  expect(applicationTitle({ ...about, ...step })).toBe(title);
  expect(applicationDetails({ ...about, ...step })).toBe(step["note"] ? `Note: ${step["note"]}` : "");
});

test("keeps the title of an entry of an earlier version", () => {
  expect(applicationTitle({ program: "MSc Physics", state: "now in review", student: "Zoë" })).toBe(
    "Zoë, MSc Physics: now in review",
  );
});

test.each([
  [
    [{ state: "submitted" }, { state: "submitted" }, { state: "withdrawn", from: "inReview" }],
    "2 new applications and 1 update",
  ],
  [[{ state: "submitted" }, { state: "submitted" }], "2 new applications"],
  [
    [
      { state: "enrolled", from: "visa" },
      { state: "rejected", from: "visa" },
    ],
    "2 updates to applications",
  ],
])("names the number of applications in the subject of an email: %j", (abouts, subject) => {
  expect(applicationsTitle(abouts)).toBe(subject);
});
