import { createHook } from "node:async_hooks";
import { scryptSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { argonPasswords } from "./passwords.ts";

const { hash, verify, isOutdated } = argonPasswords;

test("a new hash carries its parameters and a salt of its own", async () => {
  const [one, other] = [await hash("a good phrase"), await hash("a good phrase")];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(other).not.toBe(one);
  expect(isOutdated(one)).toBe(false);
  expect(await verify({ hash: one, password: "a good phrase" })).toBe(true);
  expect(await verify({ hash: one, password: "a good phrase " })).toBe(false);
});

test("accepts a password in another Unicode form", async () => {
  const composed = "caf\u00e9 au lait";
  expect(await verify({ hash: await hash(composed), password: composed.normalize("NFD") })).toBe(true);
});

test("verifies an scrypt hash by its parameters and reports it as outdated", async () => {
  const key = scryptSync("a good phrase", "abcd", 64, { N: 1024, r: 8, p: 2 }).toString("hex");
  const other = `scrypt$1024$8$2$abcd$${key}`;
  expect(await verify({ hash: other, password: "a good phrase" })).toBe(true);
  expect(await verify({ hash: other, password: "another phrase" })).toBe(false);
  expect(isOutdated(other)).toBe(true);
});

test("verifies a hash of the first version and reports it as outdated", async () => {
  const salt = "00112233445566778899aabbccddeeff";
  const key = scryptSync("a good phrase", salt, 64, { N: 2 ** 14, r: 16, p: 1, maxmem: 2 ** 26 });
  const older = `${salt}:${key.toString("hex")}`;
  expect(await verify({ hash: older, password: "a good phrase" })).toBe(true);
  expect(await verify({ hash: older, password: "another phrase" })).toBe(false);
  expect(isOutdated(older)).toBe(true);
});

test.each([
  null,
  "",
  "no password",
  "scrypt$32768$8$3$$",
  ":",
  "scrypt$1$1$1$zz$zz",
  "$argon2id$v=19$m=64,t=1,p=1$$",
])("refuses every password for %j", async (text) => {
  for (const password of ["", text ?? "x"]) expect(await verify({ hash: text, password })).toBe(false);
});

test("verifies a hash of another implementation by its parameters", async () => {
  // The tests of the reference implementation contain this hash.
  const reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  expect(await verify({ hash: reference, password: "password" })).toBe(true);
  expect(await verify({ hash: reference, password: "passwore" })).toBe(false);
  expect(isOutdated(reference)).toBe(true);
});

/** Lists the key derivations that Node runs during some work, by Node's own names. */
async function derivations(work: () => Promise<unknown>): Promise<string[]> {
  const types: string[] = [];
  const hook = createHook({ init: (_id, type) => void types.push(type) });
  hook.enable();
  await work();
  hook.disable();
  return types.filter((type) => /argon2|scrypt/i.test(type)).toSorted();
}

describe("a wrong password", () => {
  const salt = "00112233445566778899aabbccddeeff";
  const older = `scrypt$32768$8$3$${salt}$${"0".repeat(128)}`;

  test("costs the same for an older hash, a new one and none while older ones are left", async () => {
    const all: string[][] = [];
    for (const digest of [older, await hash("a good phrase"), null])
      all.push(
        await derivations(() => verify({ hash: digest, password: "another phrase", supersedesOlder: true })),
      );
    expect(all[0]?.length).toBe(2);
    expect(all).toEqual([all[0], all[0], all[0]]);
  });

  test("costs one derivation for a new hash and for none once no older ones are left", async () => {
    const all: string[][] = [];
    for (const digest of [await hash("a good phrase"), null])
      all.push(await derivations(() => verify({ hash: digest, password: "another phrase" })));
    expect(all.map(({ length }) => length)).toEqual([1, 1]);
  });
});
