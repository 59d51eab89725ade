import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ApiDocument, type DocumentedOperation, fetchDocument } from "#tests/api/document.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let api: ApiDocument;
let admin: Person;
let student: Person;
const visitor = () => new Caller(w.app);

beforeAll(async () => {
  w = await wayfare();
  api = await fetchDocument(w.app);
  [admin, student] = [await person(w, "admin", "active"), await person(w, "student", "active")];
});
afterAll(() => w.stop());

function operation(id: string): DocumentedOperation {
  const match = api.operations.find(({ operationId }) => operationId === id);
  if (!match) throw new Error(`there is no ${id}`);
  return match;
}

type Answer = { status: number; body: Record<string, unknown>; headers: Headers };

/** Calls /api/v1 and checks that the document declares the answer. */
async function callApi(
  caller: Caller,
  id: string | null,
  method: string,
  path: string,
  init: { headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const type: Record<string, string> = init.body === undefined ? {} : { "content-type": "application/json" };
  const headers = { ...type, ...init.headers };
  const response = await caller.request(`/api/v1${path}`, { method, ...init, headers });
  const { status, headers: answered } = response;
  const text = await response.text();
  const wrong = api.check(id === null ? "unmatched" : operation(id), { status, headers: answered, text });
  expect(wrong).toBeNull();
  return { status, body: JSON.parse(text), headers: answered };
}

test("reads by GET, with a session's cookie", async () => {
  const { status, body } = await callApi(
    admin.caller,
    "students.list",
    "GET",
    "/students?sort=name&search=obi",
  );
  expect(status).toBe(200);
  expect(body["students"]).toContainEqual(expect.objectContaining({ id: student.id }));
});

test("parameters of the path are inputs, and changes take effect", async () => {
  const item = { university: "Leeds", course: "Nursing", url: "https://leeds.example/" };
  const added = await callApi(student.caller, "shortlist.add", "POST", "/shortlist", {
    body: JSON.stringify(item),
  });
  expect(added).toMatchObject({ status: 200, body: item });
  const id = String(added.body["id"]);
  const removed = await callApi(student.caller, "shortlist.remove", "DELETE", `/shortlist/${id}`);
  expect(removed.body).toEqual({ done: true });
  const again = await callApi(student.caller, "shortlist.remove", "DELETE", `/shortlist/${id}`);
  expect(again).toMatchObject({ status: 404, body: { code: "not-found", status: 404 } });
  expect(again.body["requestId"]).toBe(again.headers.get("x-request-id"));
});

test("a visitor reads public data, and gets 401 with a challenge for the rest", async () => {
  expect((await callApi(visitor(), "auctions.list", "GET", "/auctions")).status).toBe(200);
  const refused = await callApi(visitor(), "students.list", "GET", "/students");
  expect(refused).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="Wayfare"');
  expect((await callApi(student.caller, "students.list", "GET", "/students")).body["code"]).toBe(
    "permission-denied",
  );
});

test("errors name the invalid inputs", async () => {
  const { status, body } = await callApi(admin.caller, "students.list", "GET", "/students?sort=shoeSize");
  expect(status).toBe(400);
  expect(body["errors"]).toEqual([{ field: "sort", detail: expect.stringContaining("name") }]);
  const form = await callApi(student.caller, "shortlist.add", "POST", "/shortlist", { body: "{}" });
  expect(form).toMatchObject({ status: 422, body: { code: "form/incomplete" } });
  expect(form.body["errors"]).toEqual([{ field: "university", detail: expect.any(String) }]);
  const cursor = await callApi(admin.caller, "students.list", "GET", "/students?cursor=garbage");
  expect(cursor).toMatchObject({ status: 400, body: { errors: [{ field: "cursor" }] } });
  for (const { title, detail } of [body, form.body, cursor.body]) expect(detail).not.toBe(title);
  expect(body).toMatchObject({ title: "Invalid input", detail: expect.stringContaining("sort: ") });
});

test("describes every event that agents and admins can choose", async () => {
  const agent = await person(w, "agent", "approved");
  const chosenBy = async ({ caller }: Person) =>
    z.object({ events: z.array(z.string()) }).parse((await caller.call("webhooks.mine")).body).events;
  const all = new Set([...(await chosenBy(agent)), ...(await chosenBy(admin)), "webhook.test"]);
  expect(api.events.toSorted()).toEqual([...all].toSorted());
});

describe("refused before any procedure runs", () => {
  test("an unknown path, a wrong method, a longer path", async () => {
    expect((await callApi(visitor(), null, "GET", "/nothing")).status).toBe(404);
    const wrong = await callApi(visitor(), null, "DELETE", "/auctions");
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, HEAD");
    expect((await callApi(visitor(), null, "PATCH", "/students/x/agent")).headers.get("allow")).toBe("PUT");
    // This path also matches a student with the id "waiting".
    const both = await callApi(visitor(), null, "DELETE", "/students/waiting");
    expect(both.headers.get("allow")).toBe("GET, HEAD");
  });

  test("procedures without a route are not exposed", async () => {
    for (const path of ["/account/me", "/account/signOut", "/profile/mine", "/students/identity"])
      for (const method of ["GET", "POST"]) {
        const response = await admin.caller.request(`/api/v1${path}`, { method });
        // /students/identity matches a student with that id.
        expect([404, 405]).toContain(response.status);
      }
  });

  test("a body that is too long, of another type, or invalid JSON", async () => {
    const post = (body: string, headers = {}) =>
      callApi(student.caller, "shortlist.add", "POST", "/shortlist", { body, headers });
    expect((await post("x".repeat(128 * 1024 + 1))).status).toBe(413);
    expect((await post("a=1", { "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
    for (const body of ["{", "[]", "null", '"x"'])
      expect((await post(body)).body).toMatchObject({
        status: 400,
        code: "invalid-argument",
        errors: [{ field: "body", detail: "The body must be a JSON object." }],
      });
  });

  test("an Accept header without JSON", async () => {
    const accept = (text: string) =>
      callApi(visitor(), "auctions.list", "GET", "/auctions", { headers: { accept: text } });
    for (const text of ["text/html", "application/xml, text/*;q=0.5", "application/json;q=0"])
      expect((await accept(text)).status).toBe(406);
    for (const text of ["application/json", "text/html, */*;q=0.1", "application/*"])
      expect((await accept(text)).status).toBe(200);
  });

  test("a cross-site request with a session cookie", async () => {
    const from = (headers: Record<string, string>) =>
      callApi(student.caller, "notifications.unread", "GET", "/notifications/unread", { headers });
    expect((await from({ "sec-fetch-site": "cross-site" })).body["code"]).toBe("foreign-request");
    expect((await from({ origin: "https://evil.example" })).status).toBe(403);
    expect((await from({ "sec-fetch-site": "same-origin" })).status).toBe(200);
  });
});

test.each(["/api", "/api/", "/api/v2", "/api/v2/students", "/api/nothing", "/api/v1"])(
  "%s is answered with a problem, not with a page",
  async (path) => {
    const response = await visitor().request(path, { headers: { accept: "text/html" } });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code: "not-found" });
  },
);

test("refuses text in place of a boolean in a body", async () => {
  const path = `/students/${student.id}/disabled`;
  const { body } = await callApi(admin.caller, "students.setDisabled", "PUT", path, {
    body: JSON.stringify({ disabled: "false" }),
  });
  expect(body).toMatchObject({ status: 400, errors: [{ field: "disabled" }] });
});

test("HEAD is GET without a body", async () => {
  const response = await visitor().request("/api/v1/auctions", { method: "HEAD" });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("");
});
