import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { sentEvents } from "#domain/webhook.ts";

test("the product's table of webhook events lists exactly the existing events, with their ids", async () => {
  const text = await readFile("docs/product.md", "utf8");
  const rows = text.split("\n").filter((line) => /^\| `[a-z]+\.[a-z-]+`/.test(line));
  const pairs = rows.flatMap((row) => {
    const [events = "", , ids = ""] = row.slice(1, -1).split(" | ");
    return [...events.matchAll(/`([a-z]+\.[a-z-]+)`/g)].map(([, event = ""]) => [
      event,
      new Set([...ids.matchAll(/`(\w+)`/g)].map(([, id]) => id)),
    ]);
  });
  const idsByEvent = new Map(sentEvents.map(({ type, ids }) => [type, new Set<string | undefined>(ids)]));
  expect(Object.fromEntries(pairs)).toEqual(Object.fromEntries(idsByEvent));
});
