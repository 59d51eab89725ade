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
])("%j has its addresses as links", (text, expected) => {
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
])("%j has no link", (text) => {
  expect(links(text)).toEqual([]);
});

test("the parts together are the text", () => {
  const text = "Is it https://a.example/x, or <https://b.example>? https://… No.\n";
  expect(
    textParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

test("an address of thousands of closing signs is cut without running out of memory", () => {
  expect(links(`https://a.example/${".".repeat(3_900)}`)).toEqual(["https://a.example/"]);
});
