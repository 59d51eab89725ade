import { expect, test } from "vitest";
import { z } from "zod";
import { IdempotencyKeys, randomUuid } from "./idempotency-keys.ts";

test("gives a retry the key of the first try until that is answered, and other contents their own", () => {
  const keys = new IdempotencyKeys();
  expect(keys.isOpen("200")).toBe(false);
  const [first, other] = [keys.of("200"), keys.of("201")];
  expect(other).not.toBe(first);
  expect(keys.of("200")).toBe(first);
  expect(keys.isOpen("200")).toBe(true);
  keys.answered("200");
  expect(keys.isOpen("200")).toBe(false);
  expect(keys.of("200")).not.toBe(first);
  expect(keys.of("201")).toBe(other);
});

test("random keys are distinct UUIDs of version 4", () => {
  const uuids = Array.from({ length: 500 }, randomUuid);
  for (const each of uuids) expect(z.uuidv4().safeParse(each).success, each).toBe(true);
  expect(new Set(uuids).size).toBe(500);
});
