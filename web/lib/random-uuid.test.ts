import { expect, test } from "vitest";
import { z } from "zod";
import { randomUuid } from "./random-uuid.ts";

test("they are UUIDs of version 4, and never the same", () => {
  const made = Array.from({ length: 500 }, randomUuid);
  for (const each of made) expect(z.uuidv4().safeParse(each).success, each).toBe(true);
  expect(new Set(made).size).toBe(500);
});
