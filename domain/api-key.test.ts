import { expect, test } from "vitest";
import { apiKeyProblem } from "./api-key.ts";
import { apiScopes, scopesOf } from "./api-scope.ts";

test("a key has a name, and scopes that its holder's role can have", () => {
  expect(apiKeyProblem({ name: "CRM", scopes: ["students:read"] }, "agent")).toBeNull();
  expect(apiKeyProblem({ name: "CRM", scopes: ["audit:read"] }, "admin")).toBeNull();
  expect(apiKeyProblem({ name: " ", scopes: ["students:read"] }, "agent")).toMatchObject({ field: "name" });
  expect(apiKeyProblem({ name: "CRM", scopes: [] }, "agent")).toMatchObject({ field: "scopes" });
  expect(apiKeyProblem({ name: "CRM", scopes: ["students:read", "audit:read"] }, "agent")).toMatchObject({
    field: "scopes",
  });
});

test("an agent's keys can't have admin scopes, and a student has no keys", () => {
  expect(scopesOf("admin")).toEqual(apiScopes);
  expect(scopesOf("agent")).toContain("applications:write");
  for (const scope of ["accounts:read", "agents:write", "audit:read", "jobs:write"])
    expect(scopesOf("agent")).not.toContain(scope);
  expect(scopesOf("student")).toEqual([]);
});
