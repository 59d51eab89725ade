import { expect, test } from "vitest";
import { BidKeys, bidNotPlaced, isAnswered } from "./bid-attempt.ts";

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

test("whatever else happens is shown as a bid that failed", () => {
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

test("a retry has the key of the first try until it is answered; other amounts have their own", () => {
  let made = 0;
  const keys = new BidKeys(() => `key ${++made}`);
  expect(keys.isOpen("200")).toBe(false);
  expect([keys.of("200"), keys.of("201"), keys.of("200")]).toEqual(["key 1", "key 2", "key 1"]);
  expect(keys.isOpen("200")).toBe(true);
  keys.answered("200");
  expect(keys.isOpen("200")).toBe(false);
  expect([keys.of("200"), keys.of("201")]).toEqual(["key 3", "key 2"]);
});
