import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { document } from "#server/features/documents/tables.ts";
import { mine } from "#tests/support/applications.ts";
import { storedProduct } from "#tests/support/auctions.ts";
import { ownerOf, problemsOf } from "#tests/support/backups.ts";
import { person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import {
  documentIn,
  importedPerson,
  importInto,
  type OlderProduct,
  olderAdmins,
  olderProduct,
  productIdOf,
  refusalsOf,
  writeExport,
} from "#tests/support/older-product.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { accountId } from "./read-account.ts";

let w: Wayfare;
let older: OlderProduct;

beforeEach(async () => {
  w = await wayfare({ variables: { ADMIN_EMAILS: olderAdmins.join() } });
  older = await olderProduct();
});
afterEach(() => w.stop());

const problems = () => problemsOf(ownerOf(w), w.services.storage);

describe("an import refuses only", () => {
  test("a row without an owner, or with two possible owners", async () => {
    await person(w, "student", "active");
    await w.services.database.db.execute(sql`update "user" set email = 'sefa@example.org'`);
    const users = older.json["users"] as Record<string, object>;
    users["twin1"] = { ...documentIn(older, "users", "uid-student"), email: "twin@example.org" };
    users["twin2"] = { ...documentIn(older, "users", "uid-student"), email: "Twin@example.org" };
    older.json["agents"] = { ...(older.json["agents"] as object), "uid-student": { city: "Leeds" } };
    const profiles = older.json["studentProfiles"] as Record<string, object>;
    profiles["twin@example.org"] = {};
    profiles["nobody@example.org"] = {};
    older.json["shortlist"] = [
      { id: "s2", university: "Lund", course: "Physics", url: "https://example.org/physics" },
      { id: "s3", university: "X", course: "Y", url: "https://example.org/x", studentId: "uid-agent" },
    ];
    const report = await importInto(w, await writeExport(older));
    expect(refusalsOf(report)).toEqual({
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

  test("a duplicate row, after the first one", async () => {
    const [item] = older.json["shortlist"] as object[];
    const chair = { id: "p-unsold", ...documentIn(older, "auction-products", "p-unsold") };
    const bid = { id: "b", userId: "uid-student", bidAmount: 500, createdAt: Date.now() - 1.5 * 86_400_000 };
    older.json["auction-products"] = [
      { ...chair, bids: [bid, { ...bid, bidAmount: 600, createdAt: bid.createdAt + 1000 }] },
      chair,
    ];
    older.json["shortlist"] = [item, item];
    const [slots, applied] = ["studentDocuments", "applications"].map(
      (name) => older.json[name] as Record<string, object>,
    );
    Object.assign(slots ?? {}, { "ADA@example.org": { cv: "documents/cv/another.pdf" } });
    Object.assign(applied ?? {}, { "ADA@example.org": documentIn(older, "applications", "ada@example.org") });
    older.files["documents/cv/another.pdf"] = pdf();
    const report = await importInto(w, await writeExport(older));
    const reason = expect.stringMatching(/^another row stands for the same/);
    expect(refusalsOf(report)).toEqual({
      "studentDocuments/ADA@example.org/cv": reason,
      "applications/ADA@example.org/0": reason,
      "shortlist/s1": reason,
    });
    expect(report.counts.get("auction-products")).toMatchObject({ read: 2, taken: 1, before: 1 });
    expect(await storedProduct(w, productIdOf("p-unsold"))).toMatchObject({
      bidCount: 2,
      winningBid: 60_000,
    });
    expect(await problems()).toEqual([]);
  });

  test("a file that two rows name, that is elsewhere, or that has the wrong type", async () => {
    older.json["auction-products"] = {};
    const users = older.json["users"] as Record<string, object>;
    users["uid-eve"] = { ...documentIn(older, "users", "uid-student"), email: "eve@example.org" };
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
    const report = await importInto(w, folder);
    expect(refusalsOf(report)).toEqual({
      "studentDocuments/ada@example.org/transcript": "it names no file below documents/",
      "studentDocuments/ada@example.org/cv": "its file is also named by another document",
      "studentDocuments/eve@example.org/cv": "its file is also named by another document",
      "studentDocuments/eve@example.org/statement": "it names no file below documents/",
      "studentDocuments/eve@example.org/transcript":
        "This isn't a PDF, JPEG or PNG file. Save it as PDF and try again.",
      "studentDocuments/eve@example.org/recommendation1": "This file is empty.",
      "studentDocuments/eve@example.org/passport": "its file is missing",
    });
    expect(await w.services.database.db.select().from(document)).toEqual([]);
    expect(await problems()).toEqual([]);
  });

  test("invalid bids, without the valid ones beside them", async () => {
    const item = documentIn(older, "auction-products", "p-open");
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
    const report = await importInto(w, await writeExport(older));
    expect(new Set(Object.keys(refusalsOf(report)).map((row) => row.split("/").at(-1)))).toEqual(
      new Set(["b2", "b3", "b4", "b5"]),
    );
    expect(await storedProduct(w, productIdOf("p-open"))).toMatchObject({
      bidCount: 2,
      price: 30_000,
      highestBidderId: accountId("uid-agent"),
    });
    expect(await problems()).toEqual([]);
  });

  test("an item on sale whose seller has lost access, and one whose bids are unreadable", async () => {
    documentIn(older, "users", "uid-seller")["role"] = "agent";
    documentIn(older, "users", "uid-seller")["status"] = "revoked";
    documentIn(older, "auction-products", "p-sold")["bids"] = "many";
    const report = await importInto(w, await writeExport(older));
    expect(refusalsOf(report)).toMatchObject({
      "auction-products/p-open": "it is on sale, and its seller has lost access",
      "auction-products/p-sold": "its bids are in no form that docs/import.md describes",
    });
    expect(report.counts.get("auction-products")).toMatchObject({ taken: 1, refused: 2 });
  });

  test("a shortlist item or an application that exists already, and an application that is no list", async () => {
    older.json["auction-products"] = {};
    const [item] = older.json["shortlist"] as object[];
    older.json["shortlist"] = [
      item,
      { ...item, id: "s2", university: "LUND", url: "www.example.org/another" },
      { ...item, id: "s3", course: "Maths", url: "www.example.org/maths" },
      { ...item, id: "s4", course: "Arts", url: "javascript:alert(1)" },
    ];
    const [form] = documentIn(older, "applications", "ada@example.org")["applications"] as object[];
    documentIn(older, "applications", "ada@example.org")["applications"] = [
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
    const report = await importInto(w, await writeExport(older));
    expect(refusalsOf(report)).toEqual({
      "shortlist/s2": "This course is already on the shortlist.",
      "shortlist/s4": "url: Please enter a web address that begins with http:// or https://.",
      "applications/ada@example.org/1": "You already have an open application for this programme and intake.",
      "applications/ada@example.org/3": expect.stringContaining("it is a text"),
    });
    const applied = await mine(await importedPerson(w, "uid-student"));
    expect(applied).toHaveLength(2);
    expect(applied.find(({ program }) => program === "MA Arts")).toMatchObject({
      countries: ["CA", "GB"],
      startDate: "Fall Intake (August or September)",
      highestStudyLevel: "Pre-Sessional",
    });
  });
});

test("the report names rows and fields, and none of their content", async () => {
  older.json["auction-products"] = {};
  documentIn(older, "studentProfiles", "ada@example.org")["phoneNumber"] = "call me maybe";
  documentIn(older, "studentProfiles", "ada@example.org")["passportNumber"] = " P-SECRET ";
  documentIn(older, "users", "uid-seller")["photoURL"] = "https://example.org/secret-photo";
  older.json["users"] = { ...(older.json["users"] as object), "odd\u001b[2J": { role: "S3CRET" } };
  const report = await importInto(w, await writeExport(older), { write: false });
  const text = report.lines().join("\n");
  expect(text).toContain(
    "mended studentProfiles/ada@example.org: passportNumber trimmed; phoneNumber left empty",
  );
  expect(text).toContain("not taken over: users.photoURL (1)");
  expect(text).toContain("refused users/odd\ufffd[2J: role is neither student nor agent");
  expect(text).not.toMatch(/SECRET|S3CRET|maybe|secret-photo/);
  expect(text).not.toContain("\u001b");
  expect(JSON.stringify(report)).not.toMatch(/SECRET|S3CRET|maybe|secret-photo/);
});
