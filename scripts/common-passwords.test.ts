import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";
import { isCommonPassword } from "#server/features/account/common-passwords.ts";
import { commonPasswords } from "./common-passwords.ts";

test("the server reads what the packages hold by now", async () => {
  const file = new URL("../server/features/account/common-passwords.txt.br", import.meta.url);
  // A comparison of the texts themselves would print a megabyte when it fails.
  expect(brotliDecompressSync(await readFile(file)).toString() === commonPasswords()).toBe(true);
});

test("they are more than 100,000, among them every common password of the package", () => {
  const listed = new Set(commonPasswords().trim().split("\n"));
  expect(listed.size).toBeGreaterThan(100_000);
  const common = dictionary["passwords-common"].map((word) => word.toLowerCase());
  expect(common.length).toBeGreaterThan(49_000);
  expect(common.filter((word) => !listed.has(word))).toEqual([]);
});

test.each(["123456", "Password1", "QWERTYUIOP", "Johannesburg", "graduate", "Elizabeth"])("%s", (password) =>
  expect(isCommonPassword(password)).toBe(true),
);

test("the first and the last of them are known to the server too", () => {
  const words = commonPasswords().trim().split("\n");
  expect([words.at(0), words.at(-1)].map((word = "") => isCommonPassword(word))).toEqual([true, true]);
});

test.each(["correct horse battery", "johannesbur", "ohannesburg", "123456\n", ""])(
  "%j is not among them",
  (password) => expect(isCommonPassword(password)).toBe(false),
);
