import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messageOf } from "#domain/error-catalogue.ts";
import { pictureFiles } from "#server/features/auctions/pictures/picture-files.ts";
import { Caller } from "#tests/support/caller.ts";
import { documentsOf, upload } from "#tests/support/documents.ts";
import { goodPassword, person, signUpForm } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

/** Runs the work while no connection to PostgreSQL can be opened. */
async function withoutDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const { sockets } = w.services.database;
  sockets.refuse("gone");
  try {
    return await work();
  } finally {
    sockets.allow();
  }
}

const unavailable = { status: 503, code: "unavailable", message: messageOf.unavailable };

test("while the database is unavailable, calls are refused with a declared code; afterwards they work again", async () => {
  const ada = await person(w, "student", "active");
  const form = signUpForm();
  const visitor = new Caller(w.app);
  for (const [caller, procedure, input] of [
    [visitor, "auctions.list", {}],
    [visitor, "account.signUp", form],
    [visitor, "account.signIn", { email: form.email, password: goodPassword }],
    [ada.caller, "shortlist.list", {}],
  ] as const) {
    const answer = await withoutDatabase(() => caller.call(procedure, input));
    expect(answer, procedure).toMatchObject(unavailable);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.body).toMatchObject({ data: { requestId: expect.any(String) } });
  }
  expect((await visitor.call("account.signUp", form)).status).toBe(200);
});

test("nobody is logged out while the database is unavailable and sessions can't be checked", async () => {
  const ada = await person(w, "student", "active");
  w.services.sessions.evict({ userId: ada.id, ended: false });
  const cookies = new Map(ada.caller.cookies);
  expect(await withoutDatabase(() => ada.caller.call("account.me"))).toMatchObject(unavailable);
  expect(ada.caller.cookies).toEqual(cookies);
  expect((await ada.caller.call("account.me")).body).toMatchObject({ viewer: { id: ada.id } });
});

test("an upload that can't be recorded is refused, and accepted later", async () => {
  const ada = await person(w, "student", "active");
  expect(await withoutDatabase(() => upload(ada))).toMatchObject(unavailable);
  expect(await documentsOf(w, ada.id)).toEqual([]);
  expect((await upload(ada)).status).toBe(200);
});

test("other paths answer in plain text, with the request's id", async () => {
  const answer = await withoutDatabase(async () =>
    w.app.request(`/pictures/${randomUUID()}/${pictureFiles[0]?.name}`),
  );
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain(messageOf.unavailable);
  expect(answer.headers.get("retry-after")).toBe("5");
});
