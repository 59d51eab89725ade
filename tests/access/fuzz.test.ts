import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { Fuzz, seed } from "./fuzz/fuzz.ts";
import { contractProcedures } from "./input-fields.ts";

/** Number of calls; `npm run test:security` makes more. */
const runs = Number(process.env["FUZZ_RUNS"] ?? 50);

let w: Wayfare;
let fuzz: Fuzz;
beforeAll(async () => {
  w = await wayfare();
  fuzz = await Fuzz.open(w);
});
afterAll(async () => {
  fuzz.close();
  await w.stop();
});

// The last test checks the effects of all calls before it.
describe("generated inputs, in this order", { shuffle: false }, () => {
  test.each(contractProcedures())(`$path: ${runs} generated inputs, seed ${seed}`, async (procedure) => {
    await fuzz.run(procedure, runs);
  });

  test("no undeclared field was stored, nobody gained rights, no bug was logged", async () => {
    expect(fuzz.calls).toBeGreaterThanOrEqual(runs * contractProcedures().length);
    // Enough of the inputs are valid to get past the first check.
    expect(fuzz.accepted / fuzz.calls).toBeGreaterThan(0.1);
    expect(await fuzz.problems()).toEqual([]);
  });
});
