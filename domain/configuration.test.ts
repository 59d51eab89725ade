import { expect, test } from "vitest";
import { parseConfiguration } from "./configuration.ts";

test("a page's configuration is read", () => {
  const configuration = { passwordMinLength: 6, contactEmail: "a@b.co" };
  expect(parseConfiguration(JSON.stringify(configuration))).toEqual(configuration);
});

test.each([null, undefined, "", "{", "null", "[]", "{}", '{"passwordMinLength":"6","contactEmail":"a"}'])(
  "%s is a missing configuration",
  (text) => {
    expect(parseConfiguration(text)).toBeNull();
  },
);
