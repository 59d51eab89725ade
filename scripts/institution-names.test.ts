import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { studyCountries } from "#domain/application.ts";
import { institutionNames, nameKey } from "./institution-names.ts";

test("schools, abbreviations and notes are removed from a list of domains", () => {
  expect(
    institutionNames(
      "University of Leeds\r\nUoL\nLeeds Grammar School\nleeds  college\nLeeds  Arts University\nScience &amp; Arts College",
      "GB",
    ),
  ).toEqual(["University of Leeds", "Leeds Arts University", "Science & Arts College"]);
});

test("labels, addresses and institutions of other countries are removed from a list of domains", () => {
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

test("foreign institutions whose names don't say so and schools for children are removed from a list of domains", () => {
  const american = [
    "Africa University",
    "European University",
    "John Cabot University",
    "Ross University, School of Medicine",
    "St Joseph's College(Autonomous)",
    "NIST University",
    "Columbus University",
    "North Carolina School of Science and Mathematics",
    "Columbus State University",
    "St. Joseph's College New York",
    "Regent University",
  ];
  expect(institutionNames(american.join("\n"), "US")).toEqual(american.slice(-3));
  const canadian = [
    "Upper Canada College",
    "Crestwood Prepatory College",
    "Superior Collegiate & Vocational Institute",
    "New Cégep Marie-Victorin domains",
    "Canada College",
  ];
  expect(institutionNames(canadian.join("\n"), "CA")).toEqual(["Canada College"]);
});

test("an end that only says the country, the postcode or the former name is removed from a name", () => {
  const british = [
    "Durham University in the UK",
    "Taunton and Bridgwater College, Somerset, UK.",
    "Southern Regional College, the U.K.",
    "Sheffield College (S2 2R)",
  ];
  expect(institutionNames(british.join("\n"), "GB")).toEqual([
    "Durham University",
    "Taunton and Bridgwater College, Somerset",
    "Southern Regional College",
    "Sheffield College",
  ]);
  const irish = ["Kerry College, Ireland", "National College of Ireland"];
  expect(institutionNames(irish.join("\n"), "IE")).toEqual(["Kerry College", "National College of Ireland"]);
  expect(institutionNames("Davis Technical College (Formerly DATC)", "US")).toEqual([
    "Davis Technical College",
  ]);
});

test("two spellings of a name have one key", () => {
  for (const [one, other] of [
    ["The Sheffield College", "Sheffield College"],
    ["Truro & Penwith College", "Truro and Penwith College"],
    ["Indiana University - Kokomo", "Indiana University at Kokomo"],
    ["State University of New York at Stony Brook", "State University of New York, Stony Brook"],
    ["Collège de Maisonneuve", "College de Maisonneuve"],
  ] as const)
    expect(nameKey(one)).toBe(nameKey(other));
  expect(nameKey("Indiana University - East")).not.toBe(nameKey("Indiana University - Southeast"));
});

test("the list that ships with Wayfare has only valid names, without duplicates", async () => {
  const file = "../server/features/programmes/catalogue/institution-names.txt.br";
  const lines = brotliDecompressSync(await readFile(new URL(file, import.meta.url)))
    .toString()
    .trim()
    .split("\n");
  expect(lines).toContain("US Eastern Wyoming College");
  const keys = lines.map((line) => line.slice(0, 2) + nameKey(line.slice(3)));
  expect(new Set(keys).size).toBe(lines.length);
  const passing = studyCountries.flatMap((country) => {
    const names = lines.filter((line) => line.startsWith(`${country} `)).map((line) => line.slice(3));
    return institutionNames(names.join("\n"), country).map((name) => `${country} ${name}`);
  });
  expect(passing.toSorted()).toEqual(lines.toSorted());
});
