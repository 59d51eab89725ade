import { Hono } from "hono";
import { expect, test } from "vitest";
import { delayRefusals } from "./delay-refusals.ts";

test("delays a refusal unless two thousand wait already, and sends any other response immediately", async () => {
  const delay = Promise.withResolvers<void>();
  const app = new Hono();
  app.use(delayRefusals(() => delay.promise));
  app.get("/:status", (c) => new Response(null, { status: Number(c.req.param("status")) }));
  let refused = 0;
  const refusals = Array.from({ length: 2_001 }, async () => {
    expect((await app.request("/429")).status).toBe(429);
    refused++;
  });
  for (const status of [200, 401, 503]) expect((await app.request(`/${status}`)).status).toBe(status);
  expect(refused).toBe(1);
  delay.resolve();
  await Promise.all(refusals);
  expect(refused).toBe(2_001);
});
