import { beforeAll, expect, test } from "vitest";
import { messageOf } from "#domain/error-catalogue.ts";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { Refusal } from "./refusal.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});

/** Calls a procedure that searches, with an error that the search throws. */
async function searchThatThrows(error: Error) {
  const agent = await person(w, "agent", "approved");
  w.services.searches.run = async () => {
    throw error;
  };
  return await agent.caller.call("students.list", { search: "ada" });
}

test("a refusal that the contract declares is sent unchanged", async () => {
  const refusal = new Refusal("deadline-exceeded", { message: "Too slow.", field: "search", retryAfter: 3 });
  const answer = await searchThatThrows(refusal);
  expect(answer).toMatchObject({ status: 504, code: "deadline-exceeded", message: "Too slow." });
  expect(answer.body).toMatchObject({ data: { field: "search", retryAfter: 3 } });
  expect(answer.headers.get("retry-after")).toBe("3");
});

test("a check's problem is sent with its field", async () => {
  const problem = { code: "invalid-argument", message: "Not like this.", field: "search" } as const;
  const answer = await searchThatThrows(Refusal.of(problem));
  expect(answer).toMatchObject({ status: 400, code: "invalid-argument", message: "Not like this." });
  expect(answer.body).toMatchObject({ data: { field: "search" } });
});

test("a refusal that the contract does not declare is a bug: sent as one, logged, and failing the test", async () => {
  const answer = await searchThatThrows(new Refusal("account/denied"));
  expect(answer).toMatchObject({ status: 500, code: "internal", message: messageOf.internal });
  expect(answer.body).not.toMatchObject({ message: messageOf["account/denied"] });
  await expect(w.stop()).rejects.toThrow(messageOf["account/denied"]);
});
