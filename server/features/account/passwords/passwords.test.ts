import { scryptSync } from "node:crypto";
import { expect, test, vi } from "vitest";
import { scryptPasswords } from "./passwords.ts";
import { ScryptQueue } from "./scrypt-queue.ts";

const { hash, verify, isOutdated } = scryptPasswords;

test("a hash carries its parameters, and never the same salt twice", async () => {
  const [one, other] = [await hash("a good phrase"), await hash("a good phrase")];
  expect(one).toMatch(/^scrypt\$32768\$8\$3\$[\da-f]{32}\$[\da-f]{128}$/);
  expect(other).not.toBe(one);
  expect(isOutdated(one)).toBe(false);
  expect(await verify({ hash: one, password: "a good phrase" })).toBe(true);
  expect(await verify({ hash: one, password: "a good phrase " })).toBe(false);
});

test("what looks the same is the same, however it was typed", async () => {
  const composed = "caf\u00e9 au lait";
  expect(await verify({ hash: await hash(composed), password: composed.normalize("NFD") })).toBe(true);
});

test("a hash of other parameters is verified by them", async () => {
  const key = scryptSync("a good phrase", "abcd", 64, { N: 1024, r: 8, p: 2 }).toString("hex");
  const other = `scrypt$1024$8$2$abcd$${key}`;
  expect(await verify({ hash: other, password: "a good phrase" })).toBe(true);
  expect(await verify({ hash: other, password: "another phrase" })).toBe(false);
  expect(isOutdated(other)).toBe(true);
});

test("a hash as earlier versions stored it still holds", async () => {
  const salt = "00112233445566778899aabbccddeeff";
  const key = scryptSync("a good phrase", salt, 64, { N: 2 ** 14, r: 16, p: 1, maxmem: 2 ** 26 });
  const older = `${salt}:${key.toString("hex")}`;
  expect(await verify({ hash: older, password: "a good phrase" })).toBe(true);
  expect(await verify({ hash: older, password: "another phrase" })).toBe(false);
  expect(isOutdated(older)).toBe(true);
});

test.each([null, "", "no password", "scrypt$32768$8$3$$", ":", "scrypt$1$1$1$zz$zz"])(
  "no password is right for %j",
  async (stored) => {
    for (const password of ["", stored ?? "x"]) expect(await verify({ hash: stored, password })).toBe(false);
  },
);

test("where there is no hash, the same work is done as for one", async () => {
  const known = await hash("a good phrase");
  const derive = vi.spyOn(ScryptQueue.prototype, "derive");
  for (const stored of [known, null]) await verify({ hash: stored, password: "another phrase" });
  const [one, other, ...more] = derive.mock.calls.map(([, salt, costs]) => ({ salt: salt.length, costs }));
  derive.mockRestore();
  expect(other).toEqual(one);
  expect(more).toEqual([]);
});
