import { expect, test } from "vitest";
import { countries } from "./countries.ts";
import { faq } from "./faq.ts";
import { features } from "./features.ts";
import { samples } from "./samples.ts";
import { stats } from "./stats.ts";
import { steps } from "./steps.ts";
import { team } from "./team.ts";
import { testimonials } from "./testimonials.ts";

test.each(Object.entries({ countries, faq, features, stats, steps, team, testimonials }))(
  "%s has at least one entry",
  (_name, entries) => {
    expect(entries.length).toBeGreaterThan(0);
  },
);

test.each([...team, ...testimonials])("$name has a portrait", ({ photo }) => {
  expect(Object.keys(import.meta.glob("./portraits/*"))).toContain(`./portraits/${photo}`);
});

test("samples lists the files that still contain a sample", () => {
  const sample = { sample: true } as const;
  expect(samples({ "a.ts": [{}, sample], "b.ts": [{}], "c.ts": [sample] })).toEqual(["a.ts", "c.ts"]);
});

test("no source contains a curly apostrophe", () => {
  const sources = import.meta.glob<string>(
    ["/web/**/*.{ts,tsx}", "/domain/**/*.ts", "/server/**/*.ts", "/contract/**/*.ts", "!/**/*.test.ts"],
    { query: "?raw", import: "default", eager: true },
  );
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  const lines = Object.entries(sources).flatMap(([file, text]) =>
    text.split("\n").map((line) => `${file}: ${line}`),
  );
  expect(lines.filter((line) => /\p{L}’\p{L}/u.test(line))).toEqual([]);
});
