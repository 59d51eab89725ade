import { expect, test } from "vitest";
import { countries } from "./countries.ts";
import { faq } from "./faq.ts";
import { features } from "./features.ts";
import { samples } from "./samples.ts";
import { stats } from "./stats.ts";
import { steps } from "./steps.ts";
import { team } from "./team.ts";
import { testimonials } from "./testimonials.ts";

test('there is as much of everything as "Public pages" of docs/product.md names', () => {
  expect([features, stats, countries, steps].map(({ length }) => length)).toEqual([3, 3, 5, 6]);
  expect([testimonials, faq, team].map(({ length }) => length)).toEqual([3, 3, 6]);
});

test.each([...team, ...testimonials])("the portrait of $name is there", ({ photo }) => {
  expect(Object.keys(import.meta.glob("./portraits/*"))).toContain(`./portraits/${photo}`);
});

test("a file is named as long as one of its samples is left", () => {
  const made = { sample: true } as const;
  expect(samples({ "a.ts": [{}, made], "b.ts": [{}], "c.ts": [made] })).toEqual(["a.ts", "c.ts"]);
});
