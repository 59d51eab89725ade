import { expect, test } from "vitest";
import { built, parseConfiguration } from "./configuration.ts";

test("parses a page's configuration", () => {
  const configuration = {
    passwordMinLength: 8,
    contactEmail: "a@b.co",
    baseUrl: "https://b.co",
    unverifiedBidLimit: 1_000_000,
    bidWithdrawal: "law",
    programSearchUrl: "https://search.example/?q={query}",
    pushKey: "BKey",
  };
  expect(parseConfiguration(JSON.stringify(configuration))).toEqual(configuration);
});

const without = (key: string) => JSON.stringify({ ...built, [key]: null });

test.each([null, undefined, "", "{", "null", "[]", "{}", '"text"', ...Object.keys(built).map(without)])(
  "%s is a missing configuration",
  (text) => {
    expect(parseConfiguration(text)).toBeNull();
  },
);
