import { expect, test } from "vitest";
import { checkInstitution, readRates } from "./catalogue.ts";

const day = "2026-11-20";

test.each(["GBP 0.0432", "gbp;0.0432", "GBP,0.0432", " GBP:  0.0432 \n\n"])("parses the rate %j", (text) => {
  expect(readRates(day, text)).toEqual([{ day, currency: "GBP", perRand: "0.0432" }]);
});

test.each([
  ["JPY 8,15", "JPY: please write 8,15 with a point."],
  ["GBP,0,0432", "GBP: please write 0,0432 with a point."],
  ["JPY 8 15", "Please enter one currency a line, such as GBP 0.0432."],
  ["JPY", "Please enter one currency a line, such as GBP 0.0432."],
  ["XXX 8.15", "Please enter one currency a line, such as GBP 0.0432."],
  ["\n", "Please enter one currency a line, such as GBP 0.0432."],
])("refuses the rate %j with a message", (text, message) => {
  expect(readRates(day, text)).toMatchObject({
    field: "rates",
    message,
  });
});

test("an institution needs a name, and neither its name nor its place may be a web address", () => {
  const leeds = {
    name: " University of Leeds ",
    country: "GB",
    place: "Leeds",
    zone: "Europe/London",
    website: "",
  } as const;
  expect(checkInstitution(leeds)).toMatchObject({ name: "University of Leeds" });
  expect(checkInstitution({ ...leeds, name: " " })).toMatchObject({ field: "name" });
  expect(checkInstitution({ ...leeds, name: "www.leeds.ac.uk" })).toMatchObject({ field: "name" });
  expect(checkInstitution({ ...leeds, place: "leeds.ac.uk" })).toMatchObject({ field: "place" });
});
