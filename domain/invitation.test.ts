import { expect, test } from "vitest";
import {
  agentInvitationProblem,
  checkAgentInvitation,
  checkInvitation,
  invitationEndsAt,
  invitationProblem,
  invitationStateAt,
} from "./invitation.ts";

const form = { firstName: "Efua", lastName: "Owusu", email: "efua@example.org", message: "See you soon." };

test("an invitation is stored trimmed, with its address in lower case", () => {
  expect(
    checkInvitation({ firstName: " Efua ", lastName: " ", email: " Efua@Example.org ", message: " Hi\n" }),
  ).toEqual({ firstName: "Efua", lastName: "", email: "efua@example.org", message: "Hi" });
});

test.each([
  ["firstName", { firstName: " " }],
  ["email", { email: "" }],
  ["email", { email: "efua" }],
  ["firstName", { firstName: "www.example.org" }],
  ["lastName", { lastName: "x".repeat(61) }],
  ["message", { message: "x".repeat(301) }],
  ["message", { message: "Look at\nhttps://example.org/now" }],
])("an invalid %s is refused: %j", (field, change) => {
  expect(invitationProblem({ ...form, ...change })).toMatchObject({ field });
});

test("an unanswered invitation expires after 14 days", () => {
  const now = new Date("2026-11-24T10:00:00Z");
  const expiresAt = invitationEndsAt(now);
  expect(expiresAt).toEqual(new Date("2026-12-08T10:00:00Z"));
  const invited = { state: "invited", expiresAt } as const;
  expect(invitationStateAt(invited, new Date(expiresAt.getTime() - 1))).toBe("invited");
  expect(invitationStateAt(invited, expiresAt)).toBe("expired");
  expect(invitationStateAt({ ...invited, state: "claimed" }, expiresAt)).toBe("claimed");
});

const ofAgent = { ...form, agency: " North Star ", country: " Ghana " };
test("an invitation of an agent is stored trimmed, with agency and country", () => {
  expect(checkAgentInvitation(ofAgent)).toEqual({ ...form, agency: "North Star", country: "Ghana" });
});

test.each([
  ["email", { email: "efua" }],
  ["agency", { agency: " " }],
  ["agency", { agency: "x".repeat(201) }],
  ["agency", { agency: "www.example.org" }],
  ["country", { country: "" }],
  ["country", { country: "ghana.example" }],
])("an invalid %s of an agent is refused: %j", (field, change) => {
  expect(agentInvitationProblem({ ...ofAgent, ...change })).toMatchObject({ field });
});
