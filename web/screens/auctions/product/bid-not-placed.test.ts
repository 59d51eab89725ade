import { expect, test } from "vitest";
import { bidNotPlaced, isAnswered } from "./bid-not-placed.ts";

const refused = (code: string, message: string) => Object.assign(new Error(message), { code });

test("a refusal keeps its code and words; what is wrong with the amount stands beside it", () => {
  expect(bidNotPlaced(refused("out-of-range", "Your bid must be at least R151.00."))).toMatchObject({
    code: "out-of-range",
    message: "Your bid must be at least R151.00.",
    field: "amount",
  });
  expect(bidNotPlaced(refused("account/unverified", "Verify first."))).toMatchObject({
    message: "Verify first.",
    field: "amount",
  });
  const ended = bidNotPlaced(refused("failed-precondition", "This auction has ended."));
  expect(ended).toMatchObject({ code: "failed-precondition", message: "This auction has ended." });
  expect(ended).not.toHaveProperty("field");
  expect(bidNotPlaced(refused("not-found", "What?")).message).toBe("Product not found!");
});

test("whatever else happens is told as a bid that failed", () => {
  const failed = "Failed to place bid. Please try again.";
  expect(bidNotPlaced(refused("unavailable", "A proxy's words"))).toMatchObject({
    code: "unavailable",
    message: failed,
  });
  expect(bidNotPlaced(new TypeError("x is not a function"))).toMatchObject({ message: failed });
  expect(bidNotPlaced(undefined)).not.toHaveProperty("code");
});

test("only an answer of the server settles what became of a bid", () => {
  for (const code of [
    "out-of-range",
    "failed-precondition",
    "not-found",
    "already-exists",
    "unauthenticated",
    "account/unverified",
  ])
    expect(isAnswered(refused(code, "No."))).toBe(true);
  for (const code of ["auth/network-request-failed", "unavailable", "internal", "unheard-of"])
    expect(isAnswered(refused(code, "Perhaps."))).toBe(false);
});
