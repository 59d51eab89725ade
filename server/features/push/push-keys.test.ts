import { createECDH } from "node:crypto";
import { expect, test } from "vitest";
import { createKeys } from "#server/platform/keys.ts";
import { decryptPush } from "#tests/fakes/push-service.ts";
import { createPushKeys } from "./push-keys.ts";

const [former, current] = ["a".repeat(32), "b".repeat(40)];
const contact = "contact@wayfare.example";
const before = createPushKeys(createKeys([former]), contact);
const during = createPushKeys(createKeys([current, former]), contact);
const after = createPushKeys(createKeys([current]), contact);

const browser = createECDH("prime256v1");
browser.generateKeys();
const recipient = {
  endpoint: "https://push.example/send/1",
  p256dh: browser.getPublicKey("base64url"),
  auth: Buffer.alloc(16, 7).toString("base64url"),
};
const message = { text: "News", topic: "topic", seconds: 60, urgency: "high" } as const;

test("the tests' decryption reads the example of RFC 8291", () => {
  const keys = createECDH("prime256v1");
  keys.setPrivateKey("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "base64url");
  const auth = Buffer.from("BTBZMqHH6r4Tts7J_aSIgg", "base64url");
  const sealed =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
  expect(decryptPush(keys, auth, Buffer.from(sealed, "base64url"))).toBe(
    "When I grow up, I want to be a watermelon",
  );
});

test("a secret always gives the same key, which is a point of the curve", () => {
  expect(createPushKeys(createKeys([former]), contact).publicKey).toBe(before.publicKey);
  expect(before.isPoint(before.publicKey)).toBe(true);
  expect(before.isPoint("A".repeat(87))).toBe(false);
  expect(before.publicKey).toMatch(/^[\w-]{87}$/);
});

test("browsers subscribe for the key of a new secret, while subscriptions for the former key still get messages", () => {
  expect(during.publicKey).toBe(after.publicKey);
  expect(during.publicKey).not.toBe(before.publicKey);
  expect(during.publicKeys).toEqual([after.publicKey, before.publicKey]);
  const formerRecipient = { ...recipient, serverKey: before.publicKey };
  expect(during.requestFor(formerRecipient, message)?.headers["authorization"]).toContain(
    `k=${before.publicKey}`,
  );
  expect(after.requestFor(formerRecipient, message)).toBeNull();
});

test("only its browser can read a message, which is encrypted differently each time", () => {
  const to = { ...recipient, serverKey: before.publicKey };
  const [one, other] = [before.requestFor(to, message), before.requestFor(to, message)];
  const auth = Buffer.from(recipient.auth, "base64url");
  expect(decryptPush(browser, auth, one?.body ?? Buffer.of())).toBe("News");
  expect(one?.body.equals(other?.body ?? Buffer.of())).toBe(false);
  expect(one?.headers).toMatchObject({
    ttl: "60",
    urgency: "high",
    topic: "topic",
    "content-encoding": "aes128gcm",
  });
});
