import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const own = { "content-type": "application/json", "x-csrf-token": "orpc" };

/** Tries to approve a waiting agent with an admin's cookies; returns the status, and whether it was carried out. */
async function attempt(
  headers: Record<string, string>,
  body: (id: string) => string | FormData,
  method = "POST",
) {
  const { id } = await person(w, "agent", "pending");
  const init = method === "GET" ? { method, headers } : { method, headers, body: body(id) };
  const search = method === "GET" ? `?data=${encodeURIComponent(JSON.stringify({ json: { id } }))}` : "";
  const response = await boss.caller.request(`/rpc/agents/approve${search}`, init);
  return { status: response.status, carriedOut: (await storedUser(w, id))?.status === "approved" };
}
const json = (id: string) => JSON.stringify({ json: { id } });

test("a request of our own page is carried out", async () => {
  for (const headers of [
    {},
    { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" },
    { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000", "sec-fetch-site": "same-origin" },
  ])
    expect(await attempt({ ...own, ...headers }, json)).toEqual({ status: 200, carriedOut: true });
});

describe("a request is not carried out", () => {
  test.each([
    ["from another origin", { ...own, origin: "https://evil.example" }],
    ["from another site, as the browser says", { ...own, "sec-fetch-site": "cross-site" }],
    ["from a sibling site", { ...own, "sec-fetch-site": "same-site", origin: "http://localhost:3000" }],
    ["from an opaque origin", { ...own, origin: "null" }],
    ["from our host by another port", { ...own, origin: "http://localhost:9999", host: "localhost:3000" }],
    ["without the header that only a script can set", { "content-type": "application/json" }],
    ["as plain text", { ...own, "content-type": "text/plain" }],
    ["as a form", { ...own, "content-type": "application/x-www-form-urlencoded" }],
    ["as another letter case of a form", { ...own, "content-type": "Multipart/Form-Data; boundary=x" }],
  ])("%s", async (_how, headers: Record<string, string>) => {
    const { status, carriedOut } = await attempt(headers, json);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(carriedOut).toBe(false);
  });

  test("as a real form with files in it", async () => {
    const form = (id: string) => {
      const data = new FormData();
      data.set("data", JSON.stringify({ json: { id }, meta: [], maps: [] }));
      return data;
    };
    expect(await attempt({ "x-csrf-token": "orpc" }, form)).toMatchObject({ carriedOut: false });
  });

  test.each(["GET", "PUT", "DELETE", "PATCH"])("by %s", async (method) => {
    expect(await attempt(own, json, method)).toMatchObject({ carriedOut: false });
  });
});

test("another site can't log a visitor in either", async () => {
  const headers = { ...own, origin: "https://evil.example" };
  const answer = await new Caller(w.app).call(
    "account.signIn",
    { email: boss.email, password: "x" },
    { headers },
  );
  expect(answer.status).toBe(403);
});
