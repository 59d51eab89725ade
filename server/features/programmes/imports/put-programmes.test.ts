import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { Caller, textIn } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { programmeRowOf } from "#tests/support/programme-files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let key: string;
beforeAll(async () => {
  w = await wayfare();
  const { caller } = await person(w, "admin", "active");
  const scopes = ["catalogue:read", "catalogue:write"];
  const { body } = await caller.call("apiKeys.create", { name: "Catalogue", scopes, days: null });
  key = textIn(body, "key");
});
afterAll(() => w.stop());

async function send(path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await new Caller(w.app).request(`/api/v1${path}`, { ...init, headers });
  if (response.status !== 200) throw new Error(await response.text());
  return await response.json();
}
const putProgrammes = (programmes: readonly unknown[]) =>
  send("/catalogue/programmes", { method: "PUT", body: JSON.stringify({ programmes }) });
const exportedPage = z.object({ programmes: z.array(z.looseObject({ id: z.string() })) });
const readEntries = async (source: string) => {
  const page = await send(`/catalogue/entries?${new URLSearchParams({ source }).toString()}`);
  return exportedPage.parse(page).programmes;
};

test("sending back entries that were read changes nothing, and adds what is new", async () => {
  const source = `feed ${randomUUID().slice(0, 8)}`;
  const rowOf = (id: string, changes = {}) => ({ ...programmeRowOf(id, changes), source });
  await putProgrammes([
    rowOf("one"),
    rowOf("two", { intakes: [], fees: [], requirementSets: [], months: null, award: "", sample: true }),
    rowOf("three", { fees: [{ ...programmeRowOf("three").fees?.[0], amount: 5_000_000, currency: "KWD" }] }),
  ]);
  const entries = await readEntries(source);
  expect(entries).toHaveLength(3);
  const unchanged = entries.map(({ id }) => ({ id, outcome: "unchanged", fields: [] }));
  expect(await putProgrammes(entries)).toMatchObject({ rows: unchanged });
  expect(await putProgrammes([...entries, rowOf("four")])).toMatchObject({
    rows: [...unchanged, { outcome: "new", id: expect.any(String) }],
  });
  const after = await readEntries(source);
  expect(after).toHaveLength(4);
  expect(after).toEqual(expect.arrayContaining(entries));
});
