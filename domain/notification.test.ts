import { expect, test } from "vitest";
import {
  digestOf,
  kindsInDigest,
  notificationKinds,
  notificationTable,
  notificationText,
  readAbout,
} from "./notification.ts";

test.each(notificationKinds)("has texts for %s, whatever an earlier version stored", (kind) => {
  const { about, title } = notificationTable[kind];
  const everything = Object.fromEntries(Object.keys(about).map((name) => [name, "Kanarie"]));
  for (const values of [{}, everything]) {
    expect(title(values)).not.toMatch(/undefined|^$/);
    expect(notificationText(kind, values)).not.toMatch(/undefined/);
  }
});

test("reads the texts that a kind has, and nothing else", () => {
  const values = { product: "Desk", price: 120, note: "for another kind" };
  expect(readAbout("outbid", values)).toEqual({ product: "Desk" });
});

test("lists a kind only in its digest", () => {
  expect(kindsInDigest("reviews")).toEqual(["documentApproved", "documentRejected"]);
  expect([digestOf("outbid"), digestOf("accountKept"), digestOf("agentApplied")]).toEqual([
    null,
    null,
    "applicants",
  ]);
});
