import { expect, test } from "vitest";
import { countries } from "./countries.ts";
import { faq } from "./faq.ts";
import { features } from "./features.ts";
import { samples } from "./samples.ts";
import { stats } from "./stats.ts";
import { steps } from "./steps.ts";
import { team } from "./team.ts";
import { testimonials } from "./testimonials.ts";

test("there is as much of everything as the specification has", () => {
  expect(features.map(({ title }) => title)).toEqual([
    "University Matching",
    "Expert Agents",
    "Visa Support",
  ]);
  expect(stats.map(({ value, suffix }) => `${value}${suffix}`)).toEqual(["1000", "1000+", "95%"]);
  expect(countries.map(({ name }) => name)).toEqual([
    "United Kingdom",
    "Canada",
    "United States",
    "Ireland",
    "United Arab Emirates",
  ]);
  expect(steps.map(({ title }) => title)).toEqual([
    "Register",
    "Search",
    "Apply",
    "Funding",
    "Payments",
    "Visa",
  ]);
  expect([testimonials.length, faq.length, team.length]).toEqual([3, 3, 6]);
});

test.each([...team, ...testimonials])("the portrait of $name is there", ({ photo }) => {
  expect(Object.keys(import.meta.glob("./portraits/*"))).toContain(`./portraits/${photo}`);
});

test("made-up people, figures and addresses are known as samples", () => {
  expect(samples()).toEqual(["footer.ts", "stats.ts", "team.ts", "testimonials.ts"]);
});
