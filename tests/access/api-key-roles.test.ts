import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiScope, isApiScope, type KeyRole, keyRoles, scopesOf } from "#domain/api-scope.ts";
import { type DocumentedOperation, fetchDocument } from "#tests/api/document.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let operations: DocumentedOperation[];
beforeAll(async () => {
  w = await wayfare();
  ({ operations } = await fetchDocument(w.app));
});
afterAll(() => w.stop());

const scopeOf = ({ security }: DocumentedOperation): ApiScope => {
  const [scope = ""] = security.flatMap((each) => each["apiKey"] ?? []);
  if (!isApiScope(scope)) throw new Error(`there is no scope ${scope}`);
  return scope;
};

/** Creates a key with one scope for a new person of this role. */
async function newKey(role: KeyRole, scope: ApiScope): Promise<string> {
  const { caller } = await person(w, role, role === "agent" ? "approved" : "active");
  const { body } = await caller.call("apiKeys.create", { name: "Test", scopes: [scope], days: null });
  return textIn(body, "key");
}

/** Calls an operation with its own example; returns the status and the code of a failure. */
async function callByExample({ method, path, parameters, requestBody }: DocumentedOperation, key: string) {
  const query = new URLSearchParams();
  let address = path;
  for (const { name, in: place, example } of parameters) {
    if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(String(example ?? "")));
    if (place === "query" && example !== undefined) query.set(name, String(example));
  }
  const body = requestBody?.content["application/json"]?.example;
  const response = await new Caller(w.app).request(`/api/v1${address}?${query.toString()}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, code: Object(await response.json()).code };
}

describe.each(keyRoles)("a key of an %s", (role) => {
  const keys = new Map<ApiScope, string>();
  /** Returns one key per scope, so that no account exceeds its limits. */
  async function keyFor(operation: DocumentedOperation): Promise<string> {
    const scope = scopeOf(operation);
    const key = keys.get(scope) ?? (await newKey(role, scope));
    keys.set(scope, key);
    return key;
  }

  test("may call every operation that is documented for it, with its example", async () => {
    const refused: unknown[] = [];
    for (const operation of operations.filter((each) => each["x-keys-of"].includes(role))) {
      const { status, code } = await callByExample(operation, await keyFor(operation));
      // The example's ids don't exist, but the call and the caller are valid.
      if (![200, 404, 409].includes(status)) refused.push([operation.operationId, status, code]);
    }
    expect(refused).toEqual([]);
  });

  test("is refused by every other operation within its scopes", async () => {
    const others = operations.filter(
      (each) => !each["x-keys-of"].includes(role) && scopesOf(role).includes(scopeOf(each)),
    );
    for (const operation of others)
      expect(await callByExample(operation, await keyFor(operation))).toEqual({
        status: 403,
        code: "permission-denied",
      });
  });
});

test("every documented operation accepts some role's key", () => {
  expect(operations.length).toBeGreaterThan(30);
  expect(operations.filter((each) => each["x-keys-of"].length === 0)).toEqual([]);
});
