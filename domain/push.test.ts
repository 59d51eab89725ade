import { describe, expect, test } from "vitest";
import { formatMoney } from "./money.ts";
import { notificationKinds, notificationTable } from "./notification.ts";
import { acceptsEndpoint, decidePush, pushEndpointLimit, pushKindsOf, pushOf, pushText } from "./push.ts";

const pushed = notificationKinds.filter((kind) => pushOf(kind) !== null);

test("only notifications that users act on are pushed", () => {
  expect(pushed.toSorted()).toEqual(
    ["auctionWon", "messageReceived", "outbid", "requestMade", "watchedEnding"].toSorted(),
  );
  expect(pushKindsOf("admin")).toContain("messageReceived");
  expect(pushKindsOf("admin")).not.toContain("requestMade");
});

test.each(pushed)("the push of %s names no amount, whatever it is about", (kind) => {
  const amount = formatMoney(77_777_700);
  const { about } = notificationTable[kind];
  // Names of items and people are never amounts.
  const names = new Set(["product", "student", "agent", "side"]);
  const all = Object.keys(about).map((name) => [name, names.has(name) ? "Desk" : amount]);
  const text = pushText(kind, Object.fromEntries(all));
  expect(text).not.toMatch(/77|R\d|undefined|^$/);
});

test("a push has the title, with only the values that it may name", () => {
  expect(pushText("outbid", { product: "Desk", price: "R1,250.00" })).toBe("You've been outbid on Desk");
  expect(pushText("requestMade", { request: "Proof of R50,000" })).toBe("Please send: a document");
  expect(pushText("watchedEnding", { product: "Desk" })).toBe("Ending soon: Desk");
  expect(pushText("outbid", {})).toBe("You've been outbid on an item");
});

test("a long name is cut, and never within a character", () => {
  const text = pushText("outbid", { product: "🪑".repeat(300) });
  expect(text.length).toBeLessThanOrEqual(200);
  expect(text.isWellFormed()).toBe(true);
});

describe("an endpoint", () => {
  test.each([
    ["https://push.example/send/abc", true],
    ["http://push.example/send/abc", false],
    ["https://name:word@push.example/", false],
    ["https://push.example:22/", false],
    ["ftp://push.example/", false],
    ["no URL", false],
    [`https://push.example/${"a".repeat(pushEndpointLimit)}`, false],
  ])("%s", (url, isAccepted) => {
    expect(acceptsEndpoint(url, false)).toBe(isAccepted);
  });

  test("may be on the same machine if that is allowed", () => {
    expect(acceptsEndpoint("http://127.0.0.1:4000/send", true)).toBe(true);
  });
});

test.each([
  [{ status: 201 }, "sent"],
  [{ status: 404 }, "gone"],
  [{ status: 410 }, "gone"],
  [{ status: 429 }, "again"],
  [{ status: 503 }, "again"],
  [{ status: 403 }, "refused"],
  [{ status: 413 }, "refused"],
  [{ status: 301 }, "refused"],
  [{ problem: "timeout" }, "again"],
  [{ problem: "unreachable" }, "again"],
  [{ problem: "certificate" }, "again"],
  [{ problem: "blocked" }, "refused"],
] as const)("%o means %s", (answer, outcome) => {
  expect(decidePush(answer)).toBe(outcome);
});
