import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { isCommonPassword } from "#server/features/sign-in/common-passwords.ts";
import { commonPasswords } from "./common-passwords.ts";

async function listed(): Promise<string[]> {
  const file = new URL("../server/features/sign-in/common-passwords.txt.br", import.meta.url);
  return brotliDecompressSync(await readFile(file))
    .toString()
    .trim()
    .split("\n");
}

test("the server refuses the 100,000 of the ranking, and all passwords of the other packages", async () => {
  const all = await listed();
  const passwords = new Set(all);
  const others = commonPasswords("").trim().split("\n");
  expect(others.filter((word) => !passwords.has(word))).toEqual([]);
  expect(all.length).toBeGreaterThan(155_000);
  // The list has no duplicates, and only passwords in the form that is looked up.
  expect(passwords.size).toBe(all.length);
  expect(all.filter((word) => word !== word.toLowerCase())).toEqual([]);
});

test("the first 100,000 passwords of a ranking count, ignoring case", () => {
  const passwords = Array.from({ length: 100_001 }, (_, at) => `password#${at + 1}`);
  const list = new Set(commonPasswords(["PASSWORD#1", ...passwords].join("\n")).split("\n"));
  expect([list.has("password#1"), list.has("password#100000")]).toEqual([true, true]);
  expect([list.has("PASSWORD#1"), list.has("password#100001")]).toEqual([false, false]);
});

test.each(["123456", "Password1", "QWERTYUIOP", "Johannesburg", "graduate", "Elizabeth"])("%s", (password) =>
  expect(isCommonPassword(password)).toBe(true),
);

test.each(["nfyxbr", "nfufyhju", "nfnmzy", "nfnfhcnfy", "nfkfgtyf", "neznam"])(
  "%s, among the last of the 100,000",
  (password) => expect(isCommonPassword(password)).toBe(true),
);

test("the server knows the first and the last password of the list", async () => {
  const words = await listed();
  expect([words.at(0), words.at(-1)].map((word = "") => isCommonPassword(word))).toEqual([true, true]);
});

test.each(["correct horse battery", "johannesbur", "ohannesburg", "123456\n", ""])(
  "%j is not among them",
  (password) => expect(isCommonPassword(password)).toBe(false),
);
