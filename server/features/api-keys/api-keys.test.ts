import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isRecentLogin } from "#domain/sign-in.ts";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person, signIn } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { apiKey } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const agent = () => person(w, "agent", "approved");
const newKey = { name: "CRM", scopes: ["students:read", "auctions:read"], days: 30 };

async function keyOf({ caller }: Person, changes: object = {}): Promise<{ id: string; key: string }> {
  const { body, status } = await caller.call("apiKeys.create", { ...newKey, ...changes });
  expect(status).toBe(200);
  return Object(body);
}

async function callApi(key: string, path = "/students", method = "GET", caller = new Caller(w.app)) {
  const headers = { authorization: `Bearer ${key}` };
  const response = await caller.request(`/api/v1${path}`, { method, headers });
  return { status: response.status, body: Object(await response.json()), headers: response.headers };
}

const keyRow = async (id: string) => {
  const [row] = await w.services.database.db.select().from(apiKey).where(eq(apiKey.id, id));
  return row;
};

describe("a new key", () => {
  test("is returned once, stored as a hash, listed, audited and emailed", async () => {
    const holder = await agent();
    const { id, key } = await keyOf(holder);
    expect(key).toMatch(/^wf_[\w-]{43}$/);
    expect(JSON.stringify(await keyRow(id))).not.toContain(key);
    const { body } = await holder.caller.call("apiKeys.list");
    expect(body).toMatchObject({
      keys: [
        {
          id,
          name: "CRM",
          start: key.slice(0, 9),
          scopes: ["auctions:read", "students:read"],
          lastUsed: null,
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain(key.slice(9));
    await w.mail(holder.email, /An API key was created/);
    const admin = await person(w, "admin", "active");
    const log = await admin.caller.call("audit.list", { actor: holder.email, action: "api-key-created" });
    expect(log.body).toMatchObject({
      entries: [{ detail: { key: id, scopes: "auctions:read students:read" } }],
    });
  });

  test("expires after the chosen number of days, or never", async () => {
    const holder = await agent();
    const { id } = await keyOf(holder, { days: 90 });
    const storedKey = await keyRow(id);
    const days =
      ((storedKey?.expiresAt?.getTime() ?? 0) - (storedKey?.createdAt.getTime() ?? 0)) / 86_400_000;
    expect(days).toBeCloseTo(90, 1);
    const { id: forEver } = await keyOf(holder, { days: null });
    expect((await keyRow(forEver))?.expiresAt).toBeNull();
  });

  test("needs a recent login", async () => {
    const { id, caller } = await agent();
    await w.services.database.db
      .update(session)
      .set({ provedAt: new Date(Date.now() - 16 * 60 * 1000) })
      .where(eq(session.userId, id));
    await w.services.database.transaction((tx) => w.services.sessions.changed(tx, id));
    expect((await caller.call("apiKeys.create", newKey)).code).toBe("auth/requires-recent-login");
  });

  test("needs a name, and scopes that its holder can have", async () => {
    const { caller } = await agent();
    for (const wrong of [{ name: " " }, { scopes: [] }, { scopes: ["audit:read"] }])
      expect((await caller.call("apiKeys.create", { ...newKey, ...wrong })).code).toBe("form/incomplete");
    expect((await caller.call("apiKeys.create", { ...newKey, scopes: ["all"] })).code).toBe(
      "invalid-argument",
    );
    expect((await caller.call("apiKeys.create", { ...newKey, days: 1 })).code).toBe("invalid-argument");
  });

  test("is one of at most ten, even when several are created concurrently", async () => {
    const { id, caller } = await agent();
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => caller.call("apiKeys.create", newKey)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ code }) => code === "resource-exhausted")).toHaveLength(4);
    expect(await w.services.database.db.select().from(apiKey).where(eq(apiKey.userId, id))).toHaveLength(10);
  });
});

describe("a key", () => {
  test("acts as its holder, within its scopes", async () => {
    const holder = await agent();
    const { id, key } = await keyOf(holder);
    expect((await callApi(key)).status).toBe(200);
    const refused = await callApi(key, "/notifications");
    expect(refused).toMatchObject({ status: 403, body: { code: "insufficient-scope" } });
    const write = await callApi(key, "/notifications/read", "POST");
    expect(write.body.code).toBe("insufficient-scope");
    const admin = await person(w, "admin", "active");
    const log = await admin.caller.call("audit.list", { actor: holder.email, action: "access-refused" });
    expect(JSON.stringify(log.body)).toContain("notifications.list");
    expect((await keyRow(id))?.lastUsedAt).not.toBeNull();
  });

  test("grants nothing that its holder may not do", async () => {
    const holder = await agent();
    const { id, key } = await keyOf(holder);
    // An admin could have created this key and become an agent since.
    await w.services.database.db
      .update(apiKey)
      .set({ scopes: ["audit:read"] })
      .where(eq(apiKey.id, id));
    expect((await callApi(key, "/audit-entries")).body.code).toBe("permission-denied");
  });

  test("is refused at /rpc and everywhere else that takes a session", async () => {
    const { key } = await keyOf(await agent());
    const caller = new Caller(w.app);
    const headers = { authorization: `Bearer ${key}` };
    expect((await caller.call("students.list", {}, { headers })).code).toBe("unauthenticated");
    expect((await caller.call("apiKeys.list", {}, { headers })).code).toBe("unauthenticated");
    expect((await caller.request("/files/audit.csv", { headers })).status).toBe(401);
    expect((await caller.request("/files/your-data", { headers })).status).toBe(401);
  });

  test("takes precedence over a session, and an invalid one is refused", async () => {
    const { caller } = await agent();
    const headers = { authorization: `Bearer wf_${"a".repeat(43)}` };
    const response = await caller.request("/api/v1/auctions", { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("invalid_token");
    for (const wrong of ["wf_x", "", "' or 1=1", "Basic YTpi"])
      expect((await callApi(wrong, "/auctions")).body.code).toBe("invalid-api-key");
  });

  test("stops working once it is revoked, has expired, or its holder has lost access", async () => {
    const { db } = w.services.database;
    const admin = await person(w, "admin", "active");
    const ends: Record<string, (holder: Person, id: string) => Promise<unknown>> = {
      revoked: ({ caller }, id) => caller.call("apiKeys.revoke", { id }),
      expired: (_holder, id) =>
        db
          .update(apiKey)
          .set({ expiresAt: new Date(0) })
          .where(eq(apiKey.id, id)),
      "agent revoked": ({ id }) => admin.caller.call("agents.revoke", { id, reason: "Left." }),
      disabled: ({ id }) => db.update(user).set({ status: "disabled" }).where(eq(user.id, id)),
      "logged out everywhere": ({ id: userId }) =>
        admin.caller.call("accounts.signOut", { userId, withKeys: true }),
      "to be deleted": ({ caller }) => caller.call("account.requestDeletion"),
      erased: ({ id }) => db.delete(user).where(eq(user.id, id)),
    };
    for (const [how, end] of Object.entries(ends)) {
      const holder = await agent();
      const { id, key } = await keyOf(holder);
      expect((await callApi(key)).status, how).toBe(200);
      await end(holder, id);
      expect((await callApi(key)).body.code, how).toBe("invalid-api-key");
    }
  });

  test("is revoked with an entry in the audit log", async () => {
    const holder = await agent();
    const { id } = await keyOf(holder);
    expect((await holder.caller.call("apiKeys.revoke", { id })).status).toBe(200);
    const entries = await w.services.database.db.select().from(audit).where(eq(audit.actorId, holder.id));
    expect(entries).toContainEqual(
      expect.objectContaining({ action: "api-key-revoked", subjectId: holder.id, detail: { key: id } }),
    );
  });

  test("doesn't count as a recent login", async () => {
    const { key } = await keyOf(await agent());
    const keyHolder = await w.services.apiKeySessions.check(`Bearer ${key}`);
    expect(isRecentLogin(keyHolder?.session.provedAt ?? new Date(), new Date())).toBe(false);
  });

  test("does not work again when its holder is approved again", async () => {
    const [admin, holder] = [await person(w, "admin", "active"), await agent()];
    const { key } = await keyOf(holder);
    await admin.caller.call("agents.revoke", { id: holder.id, reason: "Left." });
    expect((await admin.caller.call("agents.approve", { id: holder.id })).status).toBe(200);
    await signIn(w, holder.caller, holder.id);
    expect((await holder.caller.call("apiKeys.list")).body).toEqual({ keys: [] });
    expect((await callApi(key)).status).toBe(401);
  });

  test("is refused a change only after the headers have said that none is left", async () => {
    const holder = await agent();
    const { key } = await keyOf(holder, { scopes: ["shortlist:write"] });
    const change = () => callApi(key, `/shortlist/${randomUUID()}`, "DELETE");
    let remaining = Number.NaN;
    for (;;) {
      const answer = await change();
      expect(answer.headers.get("ratelimit-limit")).toBe("120");
      if (answer.status === 429) break;
      remaining = Number(answer.headers.get("ratelimit-remaining"));
    }
    expect(remaining).toBe(0);
    const inBrowser = await holder.caller.call("shortlist.remove", { id: randomUUID() });
    expect(inBrowser.headers.get("ratelimit-limit")).toBe("120");
  });

  test("is refused a search only after the headers have said that none is left", async () => {
    const { key } = await keyOf(await agent());
    const caller = new Caller(w.app);
    let remaining = Number.NaN;
    for (;;) {
      const answer = await callApi(key, "/students?search=nobody", "GET", caller);
      if (answer.status === 429) break;
      expect(answer.headers.get("ratelimit-limit")).toBe("120");
      remaining = Number(answer.headers.get("ratelimit-remaining"));
    }
    expect(remaining).toBe(0);
  });

  test("has its own rate limit, with headers that show the remaining calls", async () => {
    const holder = await agent();
    const { key } = await keyOf(holder);
    const first = await callApi(key);
    expect(first.headers.get("ratelimit-limit")).toBe("600");
    const remaining = Number(first.headers.get("ratelimit-remaining"));
    const second = await callApi(key);
    expect(Number(second.headers.get("ratelimit-remaining"))).toBe(remaining - 1);
    expect(Number(second.headers.get("ratelimit-reset"))).toBeGreaterThan(0);
    const statuses = [];
    for (let call = 0; call < 600; call++) statuses.push((await callApi(key, "/auctions/x/bids")).status);
    expect(statuses.at(-1)).toBe(429);
    const refused = await callApi(key);
    expect(refused).toMatchObject({ status: 429, body: { code: "resource-exhausted" } });
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // Failed keys don't lock the holder's browser out.
    expect((await holder.caller.call("students.list")).status).toBe(200);
  });
});

test("callers without a key or a session see the remaining calls of their address", async () => {
  const answer = () => new Caller(w.app, "203.0.113.83").request("/api/v1/auctions", {});
  const [first, second] = [await answer(), await answer()];
  expect(first.headers.get("ratelimit-limit")).toBe("6000");
  const remaining = Number(first.headers.get("ratelimit-remaining"));
  expect(second.headers.get("ratelimit-remaining")).toBe(String(remaining - 1));
  expect(Number(second.headers.get("ratelimit-reset"))).toBeGreaterThan(0);
});

test("without a required second factor nobody can create or use a key", async () => {
  const strict = await wayfare({ variables: { SECOND_FACTOR_REQUIRED: "agents" }, on: w.address });
  try {
    const { caller } = await person(strict, "agent", "approved", new Caller(strict.app));
    expect((await caller.call("apiKeys.create", newKey)).code).toBe("account/second-factor-required");
    const scopes = ["students:read"] as const;
    // This node does not require a second factor, so the key can still be created here.
    const earlier = new Caller(w.app);
    for (const [name, value] of caller.cookies) earlier.cookies.set(name, value);
    const { key } = await earlier.api.apiKeys.create({ name: "CRM", scopes: [...scopes], days: null });
    const response = await strict.app.request("/api/v1/students", {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await response.json()).toMatchObject({
      code: "account/second-factor-required",
      title: "Two-step login required",
    });
  } finally {
    await strict.stop();
  }
});
