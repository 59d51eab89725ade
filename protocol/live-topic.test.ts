import { expect, test } from "vitest";
import { parseTopics, productsPerStream, productTopic } from "./live-topic.ts";

const id = "3f0c1a52-7f5e-4f43-9c3a-0d6f4f3f9b11";

test("a list of topics keeps each known topic once", () => {
  expect(parseTopics(`account,nonsense,,account,product:${id},dashboard`)).toEqual([
    "account",
    "dashboard",
    `product:${id}`,
  ]);
  expect(parseTopics("")).toEqual([]);
});

test("accepts only an id, in any letter case, as a product's topic", () => {
  expect(productTopic(id.toUpperCase())).toBe(`product:${id}`);
  for (const text of ["", "1", `${id}0`, `${id} `, "constructor"]) {
    expect(productTopic(text)).toBeNull();
    expect(parseTopics(`product:${text}`)).toEqual([]);
  }
});

test("a stream watches at most 20 products, besides other topics", () => {
  const ids = Array.from({ length: 30 }, (_, at) => `${id.slice(0, -2)}${at + 10}`);
  const topics = parseTopics(`${ids.map((each) => `product:${each}`).join(",")},account`);
  expect(topics).toHaveLength(productsPerStream + 1);
  expect(topics).toContain("account");
  expect(topics).toContain(`product:${ids[19]}`);
  expect(topics).not.toContain(`product:${ids[20]}`);
});
