import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { differenceFromModel } from "#tests/history/unread-model.ts";
import { wayfare } from "#tests/support/wayfare.ts";

test("unread counts agree with a model after each of many random acts", async () => {
  const w = await wayfare();
  expect(await differenceFromModel(w, 400, randomInt(1_000_000))).toBeNull();
  await w.stop();
});
