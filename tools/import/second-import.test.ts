import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eraseByEmail } from "#server/features/privacy/erase-account.ts";
import { mine } from "#tests/support/applications.ts";
import { bid } from "#tests/support/auctions.ts";
import { ownerOf, problemsOf, rowsOf } from "#tests/support/backups.ts";
import { documentsOf, upload } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
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

describe("a second import", () => {
  test("changes nothing", async () => {
    const folder = await writeExport(older);
    await importInto(w, folder);
    const before = await everything();
    const report = await importInto(w, folder);
    expect(await everything()).toEqual(before);
    expect(report.entries).toEqual([]);
    for (const [name, { read, before: earlier }] of report.counts) expect(earlier, name).toBe(read);
    expect(report.counts.get("bids")?.before).toBe(6);
  });

  test("leaves alone rows that people changed, removed or had erased meanwhile", async () => {
    const folder = await writeExport(older);
    await importInto(w, folder);
    const ada = await importedPerson(w, "uid-student");
    const [item] = ((await ada.caller.call("shortlist.list")).body as { items: { id: string }[] }).items;
    expect((await ada.caller.call("shortlist.remove", { id: item?.id })).status).toBe(200);
    const [cv] = await documentsOf(w, ada.id, "cv");
    expect((await ada.caller.call("documents.takeBack", { documentId: cv?.id })).status).toBe(200);
    expect((await upload(ada, { kind: "passport" })).status).toBe(200);
    const bidder = await person(w, "student", "active");
    expect((await bid(bidder.caller, productIdOf("p-open"), 500)).status).toBe(200);
    const waleId = accountId("uid-waiting");
    await w.services.database.db.execute(sql`update "user" set status = 'disabled' where id = ${waleId}`);
    expect(await eraseByEmail(w.services, "wale@example.org")).toBe("erased");
    await until(async () => ((await everything()).get("notification")?.length ?? 0) > 1);

    const before = await everything();
    const report = await importInto(w, folder);
    expect(await everything()).toEqual(before);
    expect(refusalsOf(report)).toEqual({});
    expect(await problems()).toEqual([]);
  });

  test("imports refused rows that were repaired in the export", async () => {
    older.json["auction-products"] = {};
    delete older.files["documents/cv/ada.pdf"];
    documentIn(older, "applications", "ada@example.org")["applications"] = [{ program: "MSc" }];
    const folder = await writeExport(older);
    expect(refusalsOf(await importInto(w, folder))).toEqual({
      "studentDocuments/ada@example.org/cv": "its file is missing",
      "applications/ada@example.org/0": "highestStudyLevel: Please select your highest study level.",
    });
    const mended = await olderProduct();
    mended.json["auction-products"] = {};
    expect(refusalsOf(await importInto(w, await writeExport(mended)))).toEqual({});
    expect(await documentsOf(w, accountId("uid-student"), "cv")).toHaveLength(1);
    expect(await mine(await importedPerson(w, "uid-student"))).toHaveLength(1);
  });

  test("neither replaces a newer document by an old one nor adds a duplicate application", async () => {
    older.json["auction-products"] = {};
    const { cv, ...others } = documentIn(older, "studentDocuments", "ada@example.org");
    older.json["studentDocuments"] = { "ada@example.org": others };
    const applied = documentIn(older, "applications", "ada@example.org")["applications"];
    older.json["applications"] = {};
    await importInto(w, await writeExport(older));
    const ada = await importedPerson(w, "uid-student");
    await upload(ada);
    const [form] = applied as object[];
    expect((await ada.caller.call("applications.submit", { ...form })).status).toBe(200);
    older.json["studentDocuments"] = { "ada@example.org": { ...others, cv } };
    older.json["applications"] = { "ada@example.org": { applications: applied } };
    expect(refusalsOf(await importInto(w, await writeExport(older)))).toEqual({
      "studentDocuments/ada@example.org/cv": "there is a newer file in this slot",
      "applications/ada@example.org/0": "You already have an open application for this programme and intake.",
    });
  });
});

describe("an import that is cut short", () => {
  /** Simulates a kill after this many files: nothing is done after that. */
  function failingAfter(files: number) {
    let rest = files;
    const counts =
      <Inputs extends unknown[], Result>(work: (...inputs: Inputs) => Promise<Result>) =>
      async (...inputs: Inputs) => {
        rest -= 1;
        if (rest < 0) throw new Error("killed");
        return await work(...inputs);
      };
    const { keep, withDraft, take } = w.services.storage;
    return { withDraft, keep: counts(keep), take: counts(take) };
  }

  test.each([1, 3, 13])("after %i files is completed by the next, without duplicates", async (files) => {
    const folder = await writeExport(older);
    await expect(importInto(w, folder, { storage: failingAfter(files) })).rejects.toThrow("killed");
    expect(await problems()).toEqual([]);
    const report = await importInto(w, folder);
    expect(refusalsOf(report)).toEqual({});
    const { rows } = await w.services.database.db.execute<Record<string, number>>(sql`select
      (select count(*)::int from "user") as users, (select count(*)::int from document) as documents,
      (select count(*)::int from application_step) as steps, (select count(*)::int from auction_bid) as bids,
      (select count(*)::int from auction_picture) as pictures`);
    expect(rows).toEqual([{ users: 4, documents: 2, steps: 1, bids: 6, pictures: 4 }]);
    expect(await problems()).toEqual([]);
  });

  test("an account that is opened at that address meanwhile is left to its owner", async () => {
    older.json["auction-products"] = {};
    const { storage } = w.services;
    const take: typeof storage.take = async (...inputs) => {
      const { id } = await person(w, "student", "active");
      await w.services.database.db.execute(
        sql`update "user" set email = 'ada@example.org' where id = ${id} and not exists (
          select from "user" where email = 'ada@example.org')`,
      );
      await storage.take(...inputs);
    };
    const report = await importInto(w, await writeExport(older), { storage: { ...storage, take } });
    const reason = "somebody changed the same meanwhile: import again";
    expect(refusalsOf(report)).toEqual({
      "users/uid-student": reason,
      "studentProfiles/ada@example.org": reason,
      "studentDocuments/ada@example.org/cv": reason,
      "studentDocuments/ada@example.org/passport": reason,
      "applications/ada@example.org/0": reason,
      "shortlist/s1": reason,
    });
    expect(await problems()).toEqual([]);
  });

  test("a second concurrent one says so and does nothing", async () => {
    older.json["auction-products"] = {};
    const folder = await writeExport(older);
    const { storage } = w.services;
    const busy: unknown[] = [];
    const take: typeof storage.take = async (...inputs) => {
      busy.push(await importInto(w, folder).catch(String));
      await storage.take(...inputs);
    };
    const report = await importInto(w, folder, { storage: { ...storage, take } });
    expect(busy).toEqual(Array(2).fill("Error: Another import is at work on this database."));
    expect(refusalsOf(report)).toEqual({});
    expect(report.counts.get("users")?.taken).toBe(4);
  });
});
