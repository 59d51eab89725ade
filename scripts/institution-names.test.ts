import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { studyCountries } from "#domain/application.ts";
import { institutionNames } from "./institution-names.ts";

test("a list of domains loses its schools, abbreviations and notes", () => {
  expect(
    institutionNames(
      "University of Leeds\r\nUoL\nLeeds Grammar School\nleeds  college\nLeeds  Arts University\nScience &amp; Arts College",
      "GB",
    ),
  ).toEqual(["University of Leeds", "Leeds Arts University", "Science & Arts College"]);
});

test("a list of domains loses its labels and addresses, and what is no institution of the country", () => {
  const names = [
    "Name: Eastern Wyoming College",
    "College home page: https://wyoming.example",
    "Address: 101 College Avenue",
    "Walsh College,",
    "Augusta University - https://augusta.example/",
    "University of Toronto (Computer Science Department)",
    "Faculty of Management Studies, University of Delhi",
    "UNU World Institute for Development Economics Research, Helsinki, FINLAND",
    "Vishwakarma Institute of Technology, Pune",
  ];
  const american = ["Eastern Wyoming College", "Walsh College", "Augusta University"];
  expect(institutionNames(names.join("\n"), "US")).toEqual(american);
  const british = ["Pune university", "Newcastle University, Medicine Malaysia", "Newcastle University"];
  expect(institutionNames(british.join("\n"), "GB")).toEqual(["Newcastle University"]);
});

test("the list that ships with Wayfare has only names that pass, each once", async () => {
  const file = "../server/features/programmes/catalogue/institution-names.txt.br";
  const lines = brotliDecompressSync(await readFile(new URL(file, import.meta.url)))
    .toString()
    .trim()
    .split("\n");
  expect(lines).toContain("US Eastern Wyoming College");
  expect(new Set(lines).size).toBe(lines.length);
  const passing = studyCountries.flatMap((country) => {
    const names = lines.filter((line) => line.startsWith(`${country} `)).map((line) => line.slice(3));
    return institutionNames(names.join("\n"), country).map((name) => `${country} ${name}`);
  });
  expect(passing.toSorted()).toEqual(lines.toSorted());
});
