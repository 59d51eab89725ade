import { describe, expect, test } from "vitest";
import { itemColumns, localEnd, missingHeadings, picturesProblem, readItemRow } from "./item-csv.ts";

const headings = Object.values(itemColumns);

test("headings may be in any case and order, and delivery may be missing", () => {
  expect(missingHeadings(headings)).toEqual([]);
  const few = ["pictures", "END DATE", "Starting bid", "Grade", "Subcategory", "category", "Description"];
  expect(missingHeadings([...few, "Product name"])).toEqual([]);
  expect(missingHeadings(few)).toEqual(["Product name"]);
});

test("parses a row, with choices in their stored spelling", () => {
  const cells = [
    "Desk",
    "Old",
    "home",
    "FURNITURE",
    "a+",
    "1 500",
    "2027-03-01 18:00",
    "By van",
    "",
    "0",
    "a.jpg; b.jpg",
    "No",
  ];
  expect(readItemRow(headings, cells, "Africa/Johannesburg")).toEqual({
    productName: "Desk",
    description: "Old",
    category: "home",
    subcategory: "Furniture",
    grade: "Grade A+",
    startingBid: "1 500",
    endDate: new Date("2027-03-01T16:00:00.000Z"),
    handover: "By van",
    collectionPlace: "",
    courier: "0",
    softClose: false,
    pictures: ["a.jpg", "b.jpg"],
  });
  expect(readItemRow(headings, ["Desk", "Old", "garden", "Furniture"], "UTC")).toMatchObject({
    category: "garden",
    subcategory: "Furniture",
    grade: "",
    endDate: null,
    softClose: true,
    pictures: [],
  });
});

test.each([
  ["", true],
  ["yes", true],
  ["NO", false],
  ["perhaps", null],
])("parses %j as %s for whether late bids extend an auction", (text, softClose) =>
  expect(readItemRow(["Late bids extend it"], [text], "UTC")).toMatchObject({ softClose }),
);

test.each(["", "tomorrow", "2027-02-30 10:00", "2027-03-01", "2027-03-01 24:00", "01/03/2027 10:00"])(
  "%j is not an end date",
  (text) => expect(localEnd(text, "UTC")).toBeNull(),
);

describe("the pictures of a row", () => {
  const files = new Set(["a.jpg", "b.jpg"]);
  test.each([
    [["a.jpg", "B.JPG"], null],
    [[], null],
    [["c.jpg"], "There is no picture called c.jpg among the files you chose."],
    [["a.jpg", "A.jpg"], "The picture A.jpg is named twice."],
  ])("%j: %s", (names, problem) => expect(picturesProblem(names, files, new Map())).toBe(problem));
  test("can't be another row's", () =>
    expect(picturesProblem(["a.jpg"], files, new Map([["a.jpg", 2]]))).toBe(
      "The picture a.jpg is in row 2 already.",
    ));
});
