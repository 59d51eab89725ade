import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "#server/platform/database.ts";
import { createKeys, readSecrets } from "#server/platform/keys.ts";
import { freshDatabase } from "#tests/support/wayfare.ts";
import { checkSecrets, replaceSecrets } from "./secret-fingerprints.ts";

const [older, newer, other] = [
  "the older secret of a rotation 12345",
  "the newer secret of a rotation 67890",
  "a secret of somebody else's, 34567890",
];

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let database: ReturnType<typeof openDatabase>;
beforeEach(async () => {
  fresh = await freshDatabase();
  database = openDatabase(fresh.address, () => {});
});
afterEach(async () => {
  await database.close();
  await fresh.drop();
});
const start = (secrets: string) => checkSecrets({ database, keys: createKeys(readSecrets(secrets)) });
const refusal = /^SESSION_SECRET .* is not the one that this database was used with/;

test("a start is refused with a secret that the database has never seen", async () => {
  await start(older);
  await expect(start(other)).rejects.toThrow(refusal);
  await start(older);
});

test("a rotation goes from one secret to the other, node by node", async () => {
  for (const secrets of [older, `${older},${newer}`, older, `${older},${newer}`, `${newer},${older}`, newer])
    await start(secrets);
  await expect(start(older)).rejects.toThrow(refusal);
});

test("refuses one of two nodes that start together with different secrets", async () => {
  const outcomes = await Promise.allSettled([start(older), start(other)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("a leaked secret is replaced when the operator says so", async () => {
  await start(older);
  await replaceSecrets({ database, keys: createKeys(readSecrets(other)) });
  await start(other);
  await expect(start(older)).rejects.toThrow(refusal);
});

test("no part of a secret is stored", async () => {
  await start(older);
  const { rows } = await database.pool.query("select fingerprint from secret_fingerprint");
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain("rotation");
});
