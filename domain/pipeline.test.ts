import { describe, expect, test } from "vitest";
import { applicationStates, stateLabels } from "./application.ts";
import { isHalted } from "./application-step.ts";
import { pipelineOf } from "./pipeline.ts";

describe("pipelineOf", () => {
  test("shows the current state in its stage", () => {
    expect(pipelineOf("informationRequired", null)).toEqual([
      { label: "Submitted", status: "done" },
      { label: "Information required", status: "current" },
      { label: "Sent to university", status: "ahead" },
      { label: "Offer", status: "ahead" },
      { label: "Accepted", status: "ahead" },
      { label: "Visa", status: "ahead" },
      { label: "Enrolled", status: "ahead" },
    ]);
  });

  test("halts a rejected application where it was", () => {
    const stages = pipelineOf("rejected", "sentToUniversity");
    expect(stages.map(({ status }) => status)).toEqual([
      "done",
      "done",
      "halted",
      "ahead",
      "ahead",
      "ahead",
      "ahead",
    ]);
    expect(stages[2]?.label).toBe("Rejected");
  });

  test.each(applicationStates)("shows %s in just one stage", (state) => {
    const active = pipelineOf(state, null).filter(
      ({ status }) => status === "current" || status === "halted",
    );
    expect(active).toEqual([{ label: stateLabels[state], status: isHalted(state) ? "halted" : "current" }]);
  });
});
