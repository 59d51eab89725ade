import { expect, test } from "vitest";
import { institutionNames } from "./institution-names.ts";

test("a list of domains loses its schools, abbreviations and notes", () => {
  expect(
    institutionNames(
      "University of Leeds\r\nUoL\nLeeds Grammar School\nleeds  college\nLeeds  Arts University\nScience &amp; Arts College",
    ),
  ).toEqual(["University of Leeds", "Leeds Arts University", "Science & Arts College"]);
});
