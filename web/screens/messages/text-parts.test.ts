import { expect, test } from "vitest";
import { textParts } from "./text-parts.ts";

const links = (text: string) => textParts(text).flatMap(({ href }) => href ?? []);

test.each([
  ["See https://www.leeds.ac.uk/apply.", ["https://www.leeds.ac.uk/apply"]],
  [
    "(https://example.org/a_(b)) and HTTP://EXAMPLE.ORG/x?y=1&z=2#top!",
    ["https://example.org/a_(b)", "http://example.org/x?y=1&z=2#top"],
  ],
  ["https://one.example\nhttps://two.example", ["https://one.example/", "https://two.example/"]],
  ['"https://example.org/"', ["https://example.org/"]],
])("links the addresses in %j", (text, expected) => {
  expect(links(text)).toEqual(expected);
});

test.each([
  "javascript:alert(1)",
  "data:text/html,<script>",
  "ftp://example.org/",
  "www.example.org",
  "mailto:amina@example.org",
  "https://",
  "xhttps://example.org",
])("finds no link in %j", (text) => {
  expect(links(text)).toEqual([]);
});

test("splits a text into parts that add up to it", () => {
  const text = "Is it https://a.example/x, or <https://b.example>? https://… No.\n";
  expect(
    textParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

test("cuts thousands of punctuation marks off an address without running out of memory", () => {
  expect(links(`https://a.example/${".".repeat(3_900)}`)).toEqual(["https://a.example/"]);
});
