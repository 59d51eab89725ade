import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkShortlistItem,
  isFor,
  isSameCourse,
  type ShortlistForm,
  shortlistProblem,
  visitableUrl,
} from "./shortlist.ts";

const form: ShortlistForm = {
  university: " University of Leeds ",
  course: "MSc Nursing",
  url: " https://courses.leeds.ac.uk/nursing ",
};

test("an item is stored trimmed", () => {
  expect(checkShortlistItem(form)).toEqual({
    university: "University of Leeds",
    course: "MSc Nursing",
    url: "https://courses.leeds.ac.uk/nursing",
  });
});

test("missing fields are reported in the form's order", () => {
  const empty = { university: "", course: " ", url: "" };
  const message = (changes: Partial<ShortlistForm>) => shortlistProblem({ ...empty, ...changes })?.message;
  expect(message({})).toBe("Please enter a university.");
  expect(message({ university: "Leeds" })).toBe("Please enter a course.");
  expect(message({ university: "Leeds", course: "Nursing" })).toBe("Please enter a URL.");
});

test("texts may be as long as their limits", () => {
  const path = (length: number) =>
    `https://leeds.ac.uk/${"a".repeat(length - "https://leeds.ac.uk/".length)}`;
  const longest = { university: "x".repeat(120), course: "x".repeat(160), url: path(2000) };
  expect(shortlistProblem(longest)).toBeNull();
  expect(shortlistProblem({ ...longest, university: "x".repeat(121) })).toMatchObject({
    field: "university",
  });
  expect(shortlistProblem({ ...longest, course: "x".repeat(161) })).toMatchObject({ field: "course" });
  expect(shortlistProblem({ ...longest, url: path(2001) })).toMatchObject({
    field: "url",
    message: "URL must be at most 2000 characters long.",
  });
  // The limit also applies to the address with its characters escaped.
  expect(visitableUrl(`https://leeds.ac.uk/${"é".repeat(1000)}`)).toBeNull();
});

describe("only http and https are links", () => {
  test.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "ftp://leeds.ac.uk",
    "blob:https://leeds.ac.uk/1",
    "//leeds.ac.uk",
    "/shortlist",
    "https:leeds.ac.uk",
    "https:\\\\leeds.ac.uk",
    "https://",
    "https://a b.example",
    "https://user:password@leeds.ac.uk",
    "https://leeds.ac.uk@evil.example",
    "http://[::1",
    "https://leeds.ac.uk:99999",
  ])("%j is refused", (url) => {
    expect(visitableUrl(url)).toBeNull();
    expect(shortlistProblem({ ...form, url })).toMatchObject({ field: "url", code: "form/incomplete" });
  });

  test.each([
    ["HTTPS://Leeds.ac.uk", "https://leeds.ac.uk/"],
    ["http://leeds.ac.uk:8080/a?b=c#d", "http://leeds.ac.uk:8080/a?b=c#d"],
    ["https://zürich.example/ö", "https://xn--zrich-kva.example/%C3%B6"],
  ])("%j is stored as %j", (text, url) => {
    expect(visitableUrl(text)).toBe(url);
  });

  test("an accepted address stays a plain http or https address", () => {
    const texts = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc
        .tuple(fc.constantFrom("http:", "https:", "HTTP:", "javascript:", "data:", ""), fc.string())
        .map(([scheme, rest]) => `${scheme}//${rest}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const url = visitableUrl(text);
        if (url === null) return;
        expect(url).toMatch(/^https?:\/\/[^\s@/]+\//);
        expect(visitableUrl(url)).toBe(url);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("one course", () => {
  const nursing = { university: "University of Leeds", course: "MSc Nursing", url: "https://a.example/n" };
  const like = (changes: Partial<ShortlistForm>) => isSameCourse(nursing, { ...nursing, ...changes });

  test("is recognised by its names, whatever its page", () => {
    const url = "https://b.example/other";
    expect(like({ url })).toBe(true);
    expect(like({ university: "university  of LEEDS", course: "M\u0301Sc. nursing!", url })).toBe(true);
    expect(like({ course: "MSc Midwifery", url })).toBe(false);
    expect(like({ university: "University of Hull", url })).toBe(false);
    expect(isSameCourse({ ...nursing, course: "C++" }, { ...nursing, course: "C#", url })).toBe(false);
  });

  test("is recognised by its page, whatever its names", () => {
    const other = { university: "Leeds", course: "Nursing (MSc)" };
    for (const url of ["https://a.example/n/", "http://www.a.example/n", "https://a.example/n#fees"])
      expect(like({ ...other, url }), url).toBe(true);
    expect(like({ ...other, url: "https://a.example/n?year=2" })).toBe(false);
  });

  test("is recognised by its programme, and two programmes of the catalogue are never the same", () => {
    const [fullTime, partTime] = ["11", "22"].map((programmeId) => ({ ...nursing, programmeId }));
    if (!fullTime || !partTime) throw new Error("there are two");
    expect(isSameCourse(fullTime, partTime)).toBe(false);
    expect(isSameCourse(fullTime, { ...fullTime, course: "Renamed", url: "https://b.example/r" })).toBe(true);
    expect(isSameCourse(fullTime, nursing)).toBe(true);
  });

  test("is not recognised by the address of a whole site", () => {
    const site = { ...nursing, url: "https://a.example/" };
    expect(isSameCourse(site, { ...site, course: "MSc Midwifery" })).toBe(false);
    expect(isSameCourse(site, { ...site, course: "msc nursing" })).toBe(true);
  });
});

test.each([
  ["www.ucd.ie/physics", "https://www.ucd.ie/physics"],
  [" ucd.ie ", "https://ucd.ie/"],
  ["WWW.UCD.IE?course=1", "https://www.ucd.ie/?course=1"],
])("%s is accepted as an address without https", (address, url) => {
  expect(checkShortlistItem({ university: "UCD", course: "Physics", url: address })).toMatchObject({ url });
});

test.each(["physics", "physics at ucd.ie", "javascript:alert(1)", "me@ucd.ie", "ucd.ie:8080"])(
  "%s is not the address of a page",
  (address) =>
    expect(checkShortlistItem({ university: "UCD", course: "Physics", url: address })).toMatchObject({
      field: "url",
    }),
);

test.each([
  ["MSc  nursing", "", true],
  ["MSc Nursing", "university of leeds", true],
  ["MSc Nursing", "University of York", false],
  ["MSc Midwifery", "University of Leeds", false],
])("an application for %s at '%s' is for the item: %s", (program, university, expected) => {
  expect(isFor({ program, university }, { course: "MSc Nursing", university: "University of Leeds" })).toBe(
    expected,
  );
});
