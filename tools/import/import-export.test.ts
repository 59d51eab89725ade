import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { settleDue } from "#server/features/auctions/settlement/closer.ts";
import { mine, stepsOf } from "#tests/support/applications.ts";
import { bid, storedProduct } from "#tests/support/auctions.ts";
import { ownerOf, problemsOf, rowsOf } from "#tests/support/backups.ts";
import { Caller } from "#tests/support/caller.ts";
import { documentsOf } from "#tests/support/documents.ts";
import { goodPassword, person, storedUser } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import {
  importedPerson,
  importInto,
  type OlderProduct,
  olderAdmins,
  olderProduct,
  productIdOf,
  refusalsOf,
  writeExport,
} from "#tests/support/older-product.ts";
import { filesOfPicture } from "#tests/support/pictures.ts";
import { keysIn } from "#tests/support/stores.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { accountId } from "./read-account.ts";

let w: Wayfare;
let older: OlderProduct;

beforeEach(async () => {
  w = await wayfare({ variables: { ADMIN_EMAILS: olderAdmins.join() } });
  older = await olderProduct();
});
afterEach(() => w.stop());

const everything = () => rowsOf(ownerOf(w));
const problems = () => problemsOf(ownerOf(w), w.services.storage);

async function mailsQueued(): Promise<number> {
  const { rows } = await w.services.database.db.execute<{ number: string }>(
    sql`select count(*) as number from jobs.job where name = 'mail'`,
  );
  return Number(rows[0]?.number);
}

test("imports everything unchanged, and notifies nobody", async () => {
  const boss = await person(w, "admin", "active");
  await w.services.database.db.execute(
    sql`update "user" set email = 'boss@example.org' where id = ${boss.id}`,
  );
  const report = await importInto(w, await writeExport(older));
  expect(report.entries).toEqual([]);
  expect([...report.unknownFields]).toEqual([]);
  expect(Object.fromEntries([...report.counts].map(([name, { taken }]) => [name, taken]))).toEqual({
    users: 4,
    agents: 1,
    studentProfiles: 1,
    studentDocuments: 2,
    applications: 1,
    shortlist: 1,
    "auction-products": 3,
    bids: 6,
  });
  expect(await problems()).toEqual([]);
  expect(await storedUser(w, accountId("uid-agent"))).toMatchObject({
    status: "approved",
    approvedBy: boss.id,
    emailVerified: true,
  });
  expect(await storedUser(w, accountId("uid-seller"))).toMatchObject({
    status: "active",
    emailVerified: false,
  });
  expect(await storedProduct(w, productIdOf("p-sold"))).toMatchObject({
    state: "sold",
    winnerId: accountId("uid-student"),
    winningBid: 30_000,
    bidCount: 3,
  });
  expect(await storedProduct(w, productIdOf("p-unsold"))).toMatchObject({ state: "unsold", open: false });
  // The server's periodic jobs must find nothing to do about old rows.
  await settleDue(w.services);
  const tables = await everything();
  for (const name of ["notification", "open_digest", "account", "session", "verification"])
    expect(tables.get(name)?.length, name).toBe(name === "account" || name === "session" ? 1 : 0);
  expect(await mailsQueued()).toBe(0);
});

test("people find their data once they have set a password", async () => {
  await importInto(w, await writeExport(older));
  const ada = new Caller(w.app);
  expect((await ada.call("account.requestPasswordReset", { email: "Ada@example.org" })).status).toBe(200);
  const link = (await w.mail("ada@example.org", /new password/)).link ?? "";
  const token = new URL(link).searchParams.get("token");
  const form = { token, password: goodPassword, confirmPassword: goodPassword };
  expect((await ada.call("account.setPassword", form)).status).toBe(200);
  const login = { email: "ada@example.org", password: goodPassword };
  expect((await ada.call("account.signIn", login)).status).toBe(200);
  const student = { id: accountId("uid-student"), email: login.email, caller: ada };

  expect((await ada.call("profile.mine")).body).toMatchObject({
    profile: { firstName: "Ada", dateOfBirth: "2004-02-29", phoneNumber: "+234 80 1234 5678", country: "NG" },
  });
  const { body: dashboard } = await ada.call("students.dashboard");
  expect(dashboard).toMatchObject({ agent: { name: "Amara Diallo" } });
  const [applied] = await mine(student);
  expect(applied).toMatchObject({ program: "MSc Data Science", state: "submitted" });
  expect(await stepsOf(student, applied?.id ?? "")).toMatchObject([{ from: null, to: "submitted" }]);
  expect((await ada.call("shortlist.list")).body).toMatchObject({ items: [{ university: "Lund" }] });
  expect((await ada.call("auctions.myBids")).body).toMatchObject({
    bids: [{ productName: "Walnut writing desk" }, { productName: "Lamp" }],
  });

  const [cv] = await documentsOf(w, student.id, "cv");
  expect(cv).toMatchObject({ originalName: "ada.pdf", mediaType: "application/pdf", state: "uploaded" });
  const opened = await ada.call("documents.link", { documentId: cv?.id, mode: "view" });
  const file = await ada.request((opened.body as { url: string }).url, {});
  expect(Buffer.from(await file.arrayBuffer()).equals(pdf())).toBe(true);

  const agent = await importedPerson(w, "uid-agent");
  expect((await agent.caller.call("students.identity", { studentId: student.id })).body).toMatchObject({
    passportNumber: "A12345678",
  });
  expect((await agent.caller.call("students.list", { search: "obi" })).body).toMatchObject({
    students: [{ name: "Ada Obi", documents: { uploaded: 2, toReview: 2 } }],
  });
  expect((await agent.caller.call("students.waiting")).body).toMatchObject({
    applications: { total: 1 },
    documents: { total: 1 },
    assigned: { total: 0 },
  });
});

test("items are found, shown and bid for, and only bidders who are outbid from now on are notified", async () => {
  await importInto(w, await writeExport(older));
  const visitor = new Caller(w.app);
  const { body } = await visitor.call("auctions.list", { search: "walnut des" });
  expect(body).toMatchObject({ products: [{ id: productIdOf("p-open"), price: 30_000, bidCount: 3 }] });
  const { rows } = await w.services.database.db.execute<{ id: string }>(
    sql`select id from auction_picture where product_id = ${productIdOf("p-open")} order by position`,
  );
  expect(rows).toHaveLength(2);
  for (const { response } of await filesOfPicture(visitor, rows[0]?.id ?? ""))
    expect(response.status).toBe(200);

  const seller = await importedPerson(w, "uid-seller");
  expect(
    (await seller.caller.call("auctions.relation", { productId: productIdOf("p-sold") })).body,
  ).toMatchObject({
    contact: { name: "Ada Obi" },
  });
  const other = await person(w, "student", "active");
  expect((await bid(other.caller, productIdOf("p-open"), 300.5)).code).toBe("out-of-range");
  expect((await bid(other.caller, productIdOf("p-open"), 301)).status).toBe(200);
  const notifications = async () => (await everything()).get("notification") ?? [];
  await until(async () => (await notifications()).length > 0);
  expect(await notifications()).toEqual([expect.stringContaining(accountId("uid-student"))]);
  expect(await problems()).toEqual([]);
});

test("a dry run reports the same and writes nothing", async () => {
  older.json["users"] = {
    ...(older.json["users"] as object),
    odd: { role: "admin", email: "x@example.org" },
  };
  older.files["documents/cv/ada.pdf"] = "no PDF";
  older.files["auction-images/lamp.jpg"] = (older.files["auction-images/lamp.jpg"] as Buffer).subarray(
    0,
    200,
  );
  const folder = await writeExport(older);
  const before = await everything();
  const dry = await importInto(w, folder, { write: false });
  expect(await everything()).toEqual(before);
  expect(await keysIn(w)).toEqual([]);
  expect(refusalsOf(dry)).toEqual({
    "users/odd": "an admin: those are in ADMIN_EMAILS and get a link at the start",
    "studentDocuments/ada@example.org/cv":
      "This isn't a PDF, JPEG or PNG file. Save it as PDF and try again.",
    "auction-products/p-sold": expect.stringMatching(/^picture 1 left out: /),
    "auction-products/p-sold/bids/0": "its item is refused",
    "auction-products/p-sold/bids/1": "its item is refused",
    "auction-products/p-sold/bids/2": "its item is refused",
  });
  expect(dry.toJSON()).toEqual((await importInto(w, folder)).toJSON());
});

test("the whole database in one file is the same export", async () => {
  older.json["auction-products"] = {};
  const { auth, ...collections } = older.json;
  const [item] = older.json["shortlist"] as object[];
  const shortlist = { s1: item };
  const database = { __collections__: { ...collections, shortlist, somethingElse: { x: { y: 1 } } } };
  const one = await writeExport({ json: { firestore: database, auth }, files: older.files });
  const several = await importInto(w, await writeExport(older), { write: false });
  expect((await importInto(w, one, { write: false })).counts).toEqual(several.counts);
  expect(several.refusals).toBe(0);
  expect(several.counts.get("shortlist")?.taken).toBe(1);
});

describe("a folder that is no valid export is named, whatever the problem", () => {
  test.each<[what: string, json: Record<string, unknown>, problem: RegExp]>([
    ["no files of an export", {}, /There is no export in/],
    ["a list without ids", { users: [{ email: "a@example.org" }] }, /users\.json is not in the form/],
    ["a text", { users: "users" }, /users\.json is not in the form/],
  ])("%s", async (_, json, problem) => {
    await expect(importInto(w, await writeExport({ json, files: {} }))).rejects.toThrow(problem);
  });

  test("invalid JSON, without quoting it", async () => {
    const folder = await writeExport({ json: {}, files: {} });
    await writeFile(join(folder, "users.json"), '{"ada": {"email": "ada@example.org"');
    const failed = await importInto(w, folder).catch(String);
    expect(failed).toMatch(/users\.json is no JSON/);
    expect(failed).not.toContain("ada@");
  });
});

test("the sample export of docs/import.md is imported completely", async () => {
  const [, sample = ""] = /```json\n(.*?)```/s.exec(await readFile("docs/import.md", "utf8")) ?? [];
  const picture = older.files["auction-images/desk.jpg"] ?? "";
  const files = { "documents/cv/ada.pdf": pdf(), "auction-images/desk.jpg": picture };
  const report = await importInto(w, await writeExport({ json: { firestore: JSON.parse(sample) }, files }));
  expect(refusalsOf(report)).toEqual({});
  expect([...report.unknownFields]).toEqual([]);
  const numbers = {
    users: 3,
    studentProfiles: 1,
    studentDocuments: 1,
    applications: 1,
    shortlist: 1,
    "auction-products": 1,
  };
  expect(Object.fromEntries([...report.counts].map(([name, { taken }]) => [name, taken]))).toMatchObject(
    numbers,
  );
});
