import { createHmac, hkdfSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createKeys, purposes, readSecrets, type Signer } from "./keys.ts";

const [first, second] = ["a".repeat(32), "b".repeat(40)];

describe("SESSION_SECRET holds", () => {
  test.each([
    ["one secret", first, [first]],
    ["two, newest first", `${second},${first}`, [second, first]],
    ["a line each, as a file may", `${second}\n${first}\n`, [second, first]],
    ["spaces around them", ` ${second} , ${first} `, [second, first]],
    [
      "one that has commas in it",
      "a secret for tests, at least 32 long",
      ["a secret for tests, at least 32 long"],
    ],
    ["one that ends in a line break, as before", `${first}\n`, [`${first}\n`]],
  ])("%s", (_, text, secrets) => {
    expect(readSecrets(text)).toEqual(secrets);
  });
});

describe("a signature", () => {
  const before = createKeys([first]).signer("fileLink");
  const during = createKeys([second, first]).signer("fileLink");
  const after = createKeys([second]).signer("fileLink");
  const signatureOf = (signer: Signer) => signer.sign("x").toString("base64url");

  test("is made with the first secret, and accepted as long as its own is configured", () => {
    expect(during.accepts("x", signatureOf(before))).toBe(true);
    expect(after.accepts("x", signatureOf(before))).toBe(false);
    expect(after.accepts("x", signatureOf(during))).toBe(true);
    expect(before.accepts("x", signatureOf(during))).toBe(false);
    expect(before.accepts("x", before.sign("x").toString("base64"), "base64")).toBe(true);
  });

  test("is valid only for its text and purpose, complete and in canonical encoding", () => {
    const signature = signatureOf(before);
    expect(before.accepts("y", signature)).toBe(false);
    expect(createKeys([first]).signer("deviceCookie").accepts("x", signature)).toBe(false);
    for (const other of ["", signature.slice(0, 42), `${signature}=`, `${signature} `, `.${signature}`])
      expect(before.accepts("x", other), other).toBe(false);
  });

  test("is the result of HKDF and HMAC, so that existing signatures stay valid", () => {
    const key = Buffer.from(hkdfSync("sha256", first, "", "wayfare file link", 32));
    expect(before.sign("x")).toEqual(createHmac("sha256", key).update("x").digest());
  });
});

test("a sealed text opens with any of the secrets if it is unchanged, and tells which one it needs", () => {
  const [before, during, after] = [[first], [second, first], [second]].map(([newest = "", ...older]) =>
    createKeys([newest, ...older]).box("secondFactorStorage"),
  );
  const sealed = before?.seal("key") ?? "";
  expect(before?.seal("key")).not.toBe(sealed);
  expect(during?.open(sealed)).toBe("key");
  expect([before, during, after].map((box) => box?.stateOf(sealed))).toEqual(["newest", "older", "lost"]);
  expect(() => after?.open(sealed)).toThrow("a secret that SESSION_SECRET no longer has");
  const bytes = Buffer.from(sealed, "base64");
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(before?.stateOf(bytes.toString("base64"))).toBe("lost");
  expect(createKeys([first]).box("secondFactorLink").stateOf(sealed)).toBe("lost");
});

test("every purpose has a unique name and a line in docs/security.md", async () => {
  expect(new Set(Object.values(purposes)).size).toBe(Object.keys(purposes).length);
  const security = await readFile("docs/security.md", "utf8");
  const section = security.split("## Keys\n")[1]?.split("\n## ")[0] ?? "";
  const names = [...section.matchAll(/^\| .*`(\w+)`/gm)].map(([, name = ""]) => name);
  expect(names.toSorted()).toEqual(Object.keys(purposes).toSorted());
});
