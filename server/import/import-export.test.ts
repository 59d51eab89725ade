import { readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { settleDue } from "#server/features/auctions/settlement/commands/settle-due.ts";
import { document } from "#server/features/documents/tables.ts";
import { eraseAccount } from "#server/features/erasure/erase-account.ts";
import { mine, stepsOf } from "#tests/applications.ts";
import { bid, storedProduct } from "#tests/auctions.ts";
import { ownerOf, problemsOf, rowsOf } from "#tests/backups.ts";
import { Caller } from "#tests/caller.ts";
import { documentsOf, upload } from "#tests/documents.ts";
import { goodPassword, type Person, person, signIn, storedUser } from "#tests/factories.ts";
import { pdf } from "#tests/files.ts";
import { type OlderProduct, olderProduct, writeExport } from "#tests/older-product.ts";
import { filesOfPicture } from "#tests/pictures.ts";
import { until, type Wayfare, wayfare } from "#tests/wayfare.ts";
import { idOf } from "./ids.ts";
import { importExport } from "./import-export.ts";
import { accountId } from "./read-account.ts";

const adminEmails = ["boss@example.org"];
let w: Wayfare;
let older: OlderProduct;

beforeEach(async () => {
  w = await wayfare({ variables: { ADMIN_EMAILS: adminEmails.join() } });
  older = await olderProduct();
});
afterEach(() => w.stop());

type Changed = { storage?: Parameters<typeof importExport>[1]["storage"]; write?: boolean; now?: Date };

/** Imports into a server that runs. */
async function imported(
  folder: string,
  { storage = w.services.storage, write = true, ...rest }: Changed = {},
) {
  const { database, pictures } = w.services;
  return await importExport(folder, { database, storage, pictures }, { write, adminEmails, ...rest });
}

const table = (name: string, row: string) => {
  const rows = older.json[name] as Record<string, Record<string, unknown>>;
  const found = rows[row];
  if (!found) throw new Error(`the fixture has no ${name}/${row}`);
  return found;
};
const everything = () => rowsOf(ownerOf(w));
const problems = () => problemsOf(ownerOf(w), w.services.storage);
const productId = (id: string) => idOf("auction-products", id);
const refusals = ({ entries }: Awaited<ReturnType<typeof imported>>) =>
  Object.fromEntries(
    entries.flatMap(({ row, outcome, notes }) => (outcome === "refused" ? [[row, notes[0]]] : [])),
  );

async function mailsQueued(): Promise<number> {
  const { rows } = await w.services.database.db.execute<{ number: string }>(
    sql`select count(*) as number from jobs.job where name = 'mail'`,
  );
  return Number(rows[0]?.number);
}

async function signedIn(uid: string): Promise<Person> {
  const caller = new Caller(w.app);
  await signIn(w, caller, accountId(uid));
  return { id: accountId(uid), email: "", caller };
}

test("brings everything in as it was, and nobody hears of it", async () => {
  const boss = await person(w, "admin", "active");
  await w.services.database.db.execute(
    sql`update "user" set email = 'boss@example.org' where id = ${boss.id}`,
  );
  const report = await imported(await writeExport(older));
  expect(report.entries).toEqual([]);
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
  expect(await storedProduct(w, productId("p-sold"))).toMatchObject({
    state: "sold",
    winnerId: accountId("uid-student"),
    winningBid: 30_000,
    bidCount: 3,
  });
  expect(await storedProduct(w, productId("p-unsold"))).toMatchObject({ state: "unsold", open: false });
  // Whatever the server does from time to time finds nothing to do about what is old.
  await settleDue(w.services);
  const tables = await everything();
  for (const name of ["notification", "open_digest", "account", "session", "verification"])
    expect(tables.get(name)?.length, name).toBe(name === "account" || name === "session" ? 1 : 0);
  expect(await mailsQueued()).toBe(0);
});

test("people find what is theirs, once they have set a password", async () => {
  await imported(await writeExport(older));
  const ada = new Caller(w.app);
  expect((await ada.call("account.requestPasswordReset", { email: "Ada@example.org" })).status).toBe(200);
  const link = (await w.mail("ada@example.org", /new password/)).link ?? "";
  const token = new URL(link).searchParams.get("token");
  const chosen = { token, password: goodPassword, confirmPassword: goodPassword };
  expect((await ada.call("account.setPassword", chosen)).status).toBe(200);
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

  const agent = await signedIn("uid-agent");
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

test("items are found, shown and bid for, and only what is outbid from now on is news", async () => {
  await imported(await writeExport(older));
  const visitor = new Caller(w.app);
  const { body } = await visitor.call("auctions.list", { search: "walnut des" });
  expect(body).toMatchObject({ products: [{ id: productId("p-open"), price: 30_000, bidCount: 3 }] });
  const { rows } = await w.services.database.db.execute<{ id: string }>(
    sql`select id from auction_picture where product_id = ${productId("p-open")} order by position`,
  );
  expect(rows).toHaveLength(2);
  for (const { response } of await filesOfPicture(visitor, rows[0]?.id ?? ""))
    expect(response.status).toBe(200);

  const seller = await signedIn("uid-seller");
  expect(
    (await seller.caller.call("auctions.relation", { productId: productId("p-sold") })).body,
  ).toMatchObject({
    contact: { name: "Ada Obi" },
  });
  const other = await person(w, "student", "active");
  expect((await bid(other.caller, productId("p-open"), 300.5)).code).toBe("out-of-range");
  expect((await bid(other.caller, productId("p-open"), 301)).status).toBe(200);
  const told = async () => (await everything()).get("notification") ?? [];
  await until(async () => (await told()).length > 0);
  expect(await told()).toEqual([expect.stringContaining(accountId("uid-student"))]);
  expect(await problems()).toEqual([]);
});

describe("a second import", () => {
  test("changes nothing", async () => {
    const folder = await writeExport(older);
    await imported(folder);
    const before = await everything();
    const report = await imported(folder);
    expect(await everything()).toEqual(before);
    expect(report.entries).toEqual([]);
    for (const [name, { read, before: earlier }] of report.counts) expect(earlier, name).toBe(read);
    expect(report.counts.get("bids")?.before).toBe(6);
  });

  test("leaves alone what people changed, removed or had erased meanwhile", async () => {
    const folder = await writeExport(older);
    await imported(folder);
    const ada = await signedIn("uid-student");
    const [item] = ((await ada.caller.call("shortlist.list")).body as { items: { id: string }[] }).items;
    expect((await ada.caller.call("shortlist.remove", { id: item?.id })).status).toBe(200);
    const [cv] = await documentsOf(w, ada.id, "cv");
    expect((await ada.caller.call("documents.takeBack", { documentId: cv?.id })).status).toBe(200);
    expect((await upload(ada, { kind: "passport" })).status).toBe(200);
    const bidder = await person(w, "student", "active");
    expect((await bid(bidder.caller, productId("p-open"), 500)).status).toBe(200);
    const left = accountId("uid-waiting");
    await w.services.database.db.execute(sql`update "user" set status = 'disabled' where id = ${left}`);
    expect(await eraseAccount(ownerOf(w), "wale@example.org")).toBe("erased");
    await until(async () => ((await everything()).get("notification")?.length ?? 0) > 1);

    const before = await everything();
    const report = await imported(folder);
    expect(await everything()).toEqual(before);
    expect(refusals(report)).toEqual({});
    expect(await problems()).toEqual([]);
  });

  test("brings in what was refused and is mended in the export", async () => {
    older.json["auction-products"] = {};
    delete older.files["documents/cv/ada.pdf"];
    table("applications", "ada@example.org")["applications"] = [{ program: "MSc" }];
    const folder = await writeExport(older);
    expect(refusals(await imported(folder))).toEqual({
      "studentDocuments/ada@example.org/cv": "its file is missing",
      "applications/ada@example.org/0": "highestStudyLevel: Please select your highest study level.",
    });
    const mended = await olderProduct();
    mended.json["auction-products"] = {};
    expect(refusals(await imported(await writeExport(mended)))).toEqual({});
    expect(await documentsOf(w, accountId("uid-student"), "cv")).toHaveLength(1);
    expect(await mine(await signedIn("uid-student"))).toHaveLength(1);
  });

  test("does not put an old document in place of a newer one, nor an application beside its like", async () => {
    older.json["auction-products"] = {};
    const { cv, ...others } = table("studentDocuments", "ada@example.org");
    older.json["studentDocuments"] = { "ada@example.org": others };
    const applied = table("applications", "ada@example.org")["applications"];
    older.json["applications"] = {};
    await imported(await writeExport(older));
    const ada = await signedIn("uid-student");
    await upload(ada);
    const [form] = applied as object[];
    expect((await ada.caller.call("applications.submit", { ...form })).status).toBe(200);
    older.json["studentDocuments"] = { "ada@example.org": { ...others, cv } };
    older.json["applications"] = { "ada@example.org": { applications: applied } };
    expect(refusals(await imported(await writeExport(older)))).toEqual({
      "studentDocuments/ada@example.org/cv": "there is a newer file in this slot",
      "applications/ada@example.org/0": "You already have an open application for this programme and intake.",
    });
  });
});

describe("an import that is cut short", () => {
  /** Stands for a kill after so many files: nothing of what comes after it is done. */
  function failingAfter(files: number) {
    let left = files;
    const counted =
      <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
      async (...given: Given) => {
        left -= 1;
        if (left < 0) throw new Error("killed");
        return await work(...given);
      };
    const { keep, withDraft, take } = w.services.storage;
    return { withDraft, keep: counted(keep), take: counted(take) };
  }

  test.each([1, 3, 13])("after %i files is completed by the next, without anything twice", async (files) => {
    const folder = await writeExport(older);
    await expect(imported(folder, { storage: failingAfter(files) })).rejects.toThrow("killed");
    expect(await problems()).toEqual([]);
    const report = await imported(folder);
    expect(refusals(report)).toEqual({});
    const { rows } = await w.services.database.db.execute<Record<string, number>>(sql`select
      (select count(*)::int from "user") as users, (select count(*)::int from document) as documents,
      (select count(*)::int from application_step) as steps, (select count(*)::int from auction_bid) as bids,
      (select count(*)::int from auction_picture) as pictures`);
    expect(rows).toEqual([{ users: 4, documents: 2, steps: 1, bids: 6, pictures: 4 }]);
    expect(await problems()).toEqual([]);
  });

  test("two at once: one works, the other says so", async () => {
    older.json["auction-products"] = {};
    const folder = await writeExport(older);
    const outcomes = await Promise.allSettled([imported(folder), imported(folder)]);
    const failed = outcomes.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
    expect(failed).toEqual(["Error: Another import is at work on this database."]);
    expect(await w.services.database.db.select().from(user)).toHaveLength(4);
  });
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
  const dry = await imported(folder, { write: false });
  expect(await everything()).toEqual(before);
  expect(await readdir(join(w.environment.dataDir, "files"), { recursive: true })).toEqual(["incoming"]);
  expect(refusals(dry)).toEqual({
    "users/odd": "an admin: those are in ADMIN_EMAILS and get a link at the start",
    "studentDocuments/ada@example.org/cv": "This isn't a PDF, JPEG or PNG file.",
    "auction-products/p-sold": expect.stringMatching(/^picture 1 left out: /),
    "auction-products/p-sold/bids/0": "its item is refused",
    "auction-products/p-sold/bids/1": "its item is refused",
    "auction-products/p-sold/bids/2": "its item is refused",
  });
  expect(dry.toJSON()).toEqual((await imported(folder)).toJSON());
});

describe("refused, while the rest comes in, is", () => {
  test("what belongs to nobody, and what two could mean", async () => {
    await person(w, "student", "active");
    await w.services.database.db.execute(sql`update "user" set email = 'sefa@example.org'`);
    const users = older.json["users"] as Record<string, object>;
    users["twin1"] = { ...table("users", "uid-student"), email: "twin@example.org" };
    users["twin2"] = { ...table("users", "uid-student"), email: "Twin@example.org" };
    older.json["agents"] = { ...(older.json["agents"] as object), "uid-student": { city: "Leeds" } };
    const profiles = older.json["studentProfiles"] as Record<string, object>;
    profiles["twin@example.org"] = {};
    profiles["nobody@example.org"] = {};
    older.json["shortlist"] = [
      { id: "s2", university: "Lund", course: "Physics", url: "https://example.org/physics" },
      { id: "s3", university: "X", course: "Y", url: "https://example.org/x", studentId: "uid-agent" },
    ];
    const report = await imported(await writeExport(older));
    expect(refusals(report)).toEqual({
      "users/twin1": "another user has the same address",
      "studentProfiles/twin@example.org": "its account is refused",
      "users/twin2": "another user has the same address",
      "users/uid-seller": "its address has an account here already, or is a denied agent's",
      "agents/uid-student": "nobody among the users has this profile",
      "studentProfiles/nobody@example.org": "nobody among the users has this profile",
      "shortlist/s2": "it does not say whose it is (docs/import.md, “Shortlist”)",
      "shortlist/s3": "it is no student's who is taken over",
      ...Object.fromEntries(
        ["p-open", "p-sold", "p-unsold"].map((id) => [
          `auction-products/${id}`,
          "its seller has no account here",
        ]),
      ),
      ...Object.fromEntries(
        [
          "p-open/bids/b1",
          "p-open/bids/b2",
          "p-open/bids/b3",
          "p-sold/bids/0",
          "p-sold/bids/1",
          "p-sold/bids/2",
        ].map((id) => [`auction-products/${id}`, "its item is refused"]),
      ),
    });
    expect(report.counts.get("users")).toEqual({ read: 6, taken: 3, mended: 1, before: 0, refused: 3 });
    expect(await problems()).toEqual([]);
  });

  test("a file that two name, that is elsewhere, or that is not what it says", async () => {
    older.json["auction-products"] = {};
    const users = older.json["users"] as Record<string, object>;
    users["uid-eve"] = { ...table("users", "uid-student"), email: "eve@example.org" };
    older.json["studentDocuments"] = {
      "ada@example.org": { cv: "documents/cv/cv.pdf", transcript: true },
      "eve@example.org": {
        cv: "documents/cv/cv.pdf",
        passport: "documents/passport/outside.pdf",
        statement: "../auth.json",
        transcript: "documents/transcript/text.pdf",
        recommendation1: "documents/recommendation1/empty.pdf",
      },
    };
    older.files["documents/cv/cv.pdf"] = pdf();
    older.files["documents/transcript/text.pdf"] = "A text.";
    older.files["documents/recommendation1/empty.pdf"] = "";
    older.files["documents/passport/other.pdf"] = pdf();
    const folder = await writeExport(older);
    await writeFile(join(folder, "secret.pdf"), pdf());
    await symlink(join(folder, "secret.pdf"), join(folder, "files/documents/passport/outside.pdf"));
    const report = await imported(folder);
    expect(refusals(report)).toEqual({
      "studentDocuments/ada@example.org/transcript": "it names no file below documents/",
      "studentDocuments/ada@example.org/cv": "its file is also named by another document",
      "studentDocuments/eve@example.org/cv": "its file is also named by another document",
      "studentDocuments/eve@example.org/statement": "it names no file below documents/",
      "studentDocuments/eve@example.org/transcript": "This isn't a PDF, JPEG or PNG file.",
      "studentDocuments/eve@example.org/recommendation1": "This file is empty.",
      "studentDocuments/eve@example.org/passport": "its file is missing",
    });
    expect(await w.services.database.db.select().from(document)).toEqual([]);
    expect(await problems()).toEqual([]);
  });

  test("bids that were wrong, without the right ones beside them", async () => {
    const item = table("auction-products", "p-open");
    item["__collections__"] = {
      bids: {
        b1: { userId: "uid-student", bidAmount: 200, createdAt: Date.now() - 5000 },
        b2: { userId: "uid-agent", bidAmount: 200, createdAt: Date.now() - 4000 },
        b3: { userId: "somebody", bidAmount: 900, createdAt: Date.now() - 3000 },
        b4: { userId: "uid-seller", bidAmount: 950, createdAt: Date.now() - 2000 },
        b5: { userId: "uid-agent", bidAmount: 1000, createdAt: Date.now() + 86_400_000 },
        b6: { userId: "uid-agent", bidAmount: 300, createdAt: Date.now() - 1000 },
      },
    };
    const report = await imported(await writeExport(older));
    expect(
      Object.keys(refusals(report))
        .map((row) => row.split("/").at(-1))
        .toSorted(),
    ).toEqual(["b2", "b3", "b4", "b5"]);
    expect(await storedProduct(w, productId("p-open"))).toMatchObject({
      bidCount: 2,
      price: 30_000,
      highestBidderId: accountId("uid-agent"),
    });
    expect(await problems()).toEqual([]);
  });

  test("an item on sale whose seller has lost access, and one whose bids are unreadable", async () => {
    table("users", "uid-seller")["role"] = "agent";
    table("users", "uid-seller")["status"] = "revoked";
    table("auction-products", "p-sold")["bids"] = "many";
    const report = await imported(await writeExport(older));
    expect(refusals(report)).toMatchObject({
      "auction-products/p-open": "it is on sale, and its seller has lost access",
      "auction-products/p-sold": "its bids are in no form that docs/import.md describes",
    });
    expect(report.counts.get("auction-products")).toMatchObject({ taken: 1, refused: 2 });
  });

  test("a shortlist item or an application that is there already, and an application in words", async () => {
    older.json["auction-products"] = {};
    const [item] = older.json["shortlist"] as object[];
    older.json["shortlist"] = [
      item,
      { ...item, id: "s2", university: "LUND", url: "www.example.org/another" },
      { ...item, id: "s3", course: "Maths", url: "www.example.org/maths" },
      { ...item, id: "s4", course: "Arts", url: "javascript:alert(1)" },
    ];
    const [form] = table("applications", "ada@example.org")["applications"] as object[];
    table("applications", "ada@example.org")["applications"] = [
      form,
      { ...form, program: " msc data science" },
      {
        ...form,
        program: "MA Arts",
        country: "uk, Canada",
        startDate: "fall",
        highestStudyLevel: "pre sessional",
      },
      "MSc Data Science in Leeds",
    ];
    const report = await imported(await writeExport(older));
    expect(refusals(report)).toEqual({
      "shortlist/s2": "This course is already on the shortlist.",
      "shortlist/s4": "url: Please enter a web address that begins with http:// or https://.",
      "applications/ada@example.org/1": "You already have an open application for this programme and intake.",
      "applications/ada@example.org/3": expect.stringContaining("it is a text"),
    });
    const applied = await mine(await signedIn("uid-student"));
    expect(applied).toHaveLength(2);
    expect(applied.find(({ program }) => program === "MA Arts")).toMatchObject({
      countries: ["CA", "GB"],
      startDate: "Fall Intake (August or September)",
      highestStudyLevel: "Pre-Sessional",
    });
  });
});

test("the report names rows and fields, and nothing that they hold", async () => {
  older.json["auction-products"] = {};
  table("studentProfiles", "ada@example.org")["phoneNumber"] = "call me maybe";
  table("studentProfiles", "ada@example.org")["passportNumber"] = " P-SECRET ";
  table("users", "uid-seller")["photoURL"] = "https://example.org/secret-photo";
  older.json["users"] = { ...(older.json["users"] as object), "odd\u001b[2J": { role: "S3CRET" } };
  const report = await imported(await writeExport(older), { write: false });
  const text = report.lines().join("\n");
  expect(text).toContain(
    "mended studentProfiles/ada@example.org: passportNumber trimmed; phoneNumber left empty",
  );
  expect(text).toContain("not taken over: users.photoURL (1)");
  expect(text).toContain("refused users/odd\ufffd[2J: role is neither student nor agent");
  expect(text).not.toMatch(/SECRET|S3CRET|maybe|secret-photo|\u001b/);
  expect(JSON.stringify(report)).not.toMatch(/SECRET|S3CRET|maybe|secret-photo/);
});

describe("a folder that is no export is named, whatever is wrong", () => {
  test.each<[what: string, json: Record<string, unknown>, problem: RegExp]>([
    ["none of the files", {}, /There is no export in/],
    ["a list without ids", { users: [{ email: "a@example.org" }] }, /users\.json is not in the form/],
    ["a text", { users: "users" }, /users\.json is not in the form/],
  ])("%s", async (_, json, problem) => {
    await expect(imported(await writeExport({ json, files: {} }))).rejects.toThrow(problem);
  });

  test("no JSON, without quoting it", async () => {
    const folder = await writeExport({ json: {}, files: {} });
    await writeFile(join(folder, "users.json"), '{"ada": {"email": "ada@example.org"');
    const failed = await imported(folder).catch(String);
    expect(failed).toMatch(/users\.json is no JSON/);
    expect(failed).not.toContain("ada@");
  });
});
