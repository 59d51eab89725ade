import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ApplicationState,
  applicationLimits,
  applicationStates,
  statesForStudent,
} from "./application.ts";
import { byUrgency, decideStep, isOpen, type Mover, nextSteps, type Step } from "./application-step.ts";

const note = "because";
const movers = ["student", "agent", "admin"] as const satisfies readonly Mover[];

/** Steps by role and state (docs/product.md, "Applications"), written out; * marks a note that is required. */
const agent: Record<ApplicationState, string> = {
  submitted: "inReview rejected* deferred",
  inReview: "submitted* informationRequired* sentToUniversity rejected* deferred",
  informationRequired: "inReview* sentToUniversity rejected* deferred",
  sentToUniversity: "inReview* informationRequired* conditionalOffer unconditionalOffer rejected* deferred",
  conditionalOffer: "sentToUniversity* unconditionalOffer rejected* deferred",
  unconditionalOffer: "sentToUniversity* conditionalOffer* accepted rejected* deferred",
  accepted: "unconditionalOffer* visa rejected* deferred",
  visa: "accepted* enrolled rejected* deferred",
  enrolled: "",
  rejected: "",
  withdrawn: "",
  deferred: "rejected*",
};
const table: Record<Mover, Record<ApplicationState, string>> = {
  agent,
  admin: {
    ...agent,
    enrolled: "visa*",
    rejected: "inReview*",
    withdrawn: "inReview*",
    deferred: "inReview* rejected*",
  },
  student: {
    submitted: "withdrawn",
    inReview: "withdrawn",
    informationRequired: "inReview* withdrawn",
    sentToUniversity: "withdrawn",
    conditionalOffer: "withdrawn",
    unconditionalOffer: "accepted withdrawn",
    accepted: "withdrawn",
    visa: "withdrawn",
    enrolled: "",
    rejected: "",
    withdrawn: "",
    deferred: "withdrawn",
  },
};

const statesOf = (who: Mover, from: ApplicationState) => table[who][from].split(" ").filter(Boolean);
const inOrder = (steps: readonly Step[]) =>
  applicationStates.flatMap((to) =>
    steps.filter((step) => step.to === to).map(({ needsNote }) => `${to}${needsNote ? "*" : ""}`),
  );

describe.each(movers)("%s", (who) => {
  test.each(applicationStates)("from %s", (from) => {
    expect(inOrder(nextSteps(who, from))).toEqual(statesOf(who, from));
    for (const to of applicationStates) {
      const withNote = decideStep(who, from, to, ` ${note}\n`, true);
      const without = decideStep(who, from, to, " \n ", true);
      const step = statesOf(who, from).find((each) => each.replace("*", "") === to);
      expect(withNote).toEqual(step === undefined ? { kind: "conflict" } : { kind: "moves", note });
      if (step === undefined) expect(without).toEqual({ kind: "conflict" });
      else if (step.endsWith("*")) expect(without).toMatchObject({ problem: { field: "note" } });
      else expect(without).toEqual({ kind: "moves", note: "" });
    }
  });
});

test("only an admin who says why can send an unconfirmed application", () => {
  for (const from of ["inReview", "informationRequired"] as const) {
    expect(decideStep("agent", from, "sentToUniversity", note, false)).toEqual({ kind: "unconfirmed" });
    expect(decideStep("admin", from, "sentToUniversity", " ", false)).toMatchObject({ kind: "problem" });
    expect(decideStep("admin", from, "sentToUniversity", note, false)).toEqual({ kind: "moves", note });
  }
  // A step back doesn't send the application again.
  expect(decideStep("agent", "conditionalOffer", "sentToUniversity", note, false).kind).toBe("moves");
});

test("a note has a maximum length", () => {
  const { note: longest } = applicationLimits;
  expect(decideStep("agent", "submitted", "inReview", "x".repeat(longest), true)).toMatchObject({
    kind: "moves",
  });
  expect(decideStep("agent", "submitted", "inReview", "x".repeat(longest + 1), true)).toMatchObject({
    kind: "problem",
    problem: { field: "note", message: "This must be at most 1000 characters long." },
  });
});

const attempt = fc.record({
  who: fc.constantFrom(...movers),
  to: fc.constantFrom(...applicationStates),
  note: fc.constantFrom("", note),
});
type Attempt = { who: Mover; to: ApplicationState; note: string };

/** Returns the states that an application passes through during these attempts. */
function statesDuring(attempts: readonly Attempt[]): ApplicationState[] {
  const states: ApplicationState[] = ["submitted"];
  for (const { who, to, note } of attempts) {
    const from = states.at(-1) ?? "submitted";
    if (decideStep(who, from, to, note, true).kind === "moves") states.push(to);
  }
  return states;
}

test("no sequence of steps reaches an unknown state, repeats a state or skips accepted and visa", () => {
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 60 }), (attempts) => {
      const states = statesDuring(attempts);
      for (const [index, state] of states.entries()) {
        expect(applicationStates).toContain(state);
        expect(states[index + 1]).not.toBe(state);
        if (state === "enrolled") expect(states[index - 1]).toBe("visa");
        if (state === "visa") expect(["accepted", "enrolled"]).toContain(states[index - 1]);
      }
    }),
  );
});

test("only an admin reopens an application that is enrolled, rejected or withdrawn", () => {
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 60 }), (attempts) => {
      const states = statesDuring(attempts.filter(({ who }) => who !== "admin"));
      expect(states.slice(0, -1).filter((state) => !isOpen(state))).toEqual([]);
    }),
  );
});

test("agent and student can reach every state, and an admin can leave it again", () => {
  const reached = new Set<ApplicationState>(["submitted"]);
  for (const from of reached)
    for (const who of ["agent", "student"] as const)
      for (const { to } of nextSteps(who, from)) reached.add(to);
  expect(reached.size).toBe(applicationStates.length);
  for (const from of applicationStates) expect(nextSteps("admin", from)).not.toEqual([]);
});

test("states wait for the student if the student can do more than withdraw", () => {
  const waits = (state: ApplicationState) =>
    nextSteps("student", state).some(({ kind }) => kind !== "withdraw");
  expect(applicationStates.filter(waits)).toEqual(statesForStudent);
});

test("applications that wait for the student come first and ended ones last, each newest first", () => {
  const at = (state: ApplicationState, day: number) => ({
    state,
    updatedAt: new Date(Date.UTC(2026, 0, day)),
  });
  const inOrder = [
    at("unconditionalOffer", 3),
    at("informationRequired", 1),
    at("submitted", 9),
    at("deferred", 8),
    at("visa", 2),
    at("rejected", 20),
    at("enrolled", 19),
    at("withdrawn", 18),
  ];
  expect(inOrder.toReversed().toSorted(byUrgency)).toEqual(inOrder);
});
