import fc from "fast-check";
import { expect, test } from "vitest";
import { mostSearchWords, searchWords } from "./search-words.ts";

test.each([
  ["", []],
  [" \t ", []],
  ["vintage, lamp!", ["vintage", "lamp"]],
  ["iphone13pro", ["iphone", "13", "pro"]],
  ["USB-C", ["USB", "C"]],
  ["Levi's", ["Levis"]],
  ["Crème brûlée", ["Crème", "brûlée"]],
  ["piano piano", ["piano"]],
  ["' & | ! ( ) : * \\ % _", []],
])("%s", (text, words) => {
  expect(searchWords(text)).toEqual(words);
});

test("any text becomes a limited number of words of only letters and marks, or only digits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const words = searchWords(text);
      expect(words.length).toBeLessThanOrEqual(mostSearchWords);
      for (const word of words) expect(word).toMatch(/^[\p{L}\p{M}]+$|^\p{N}+$/u);
    }),
  );
});
