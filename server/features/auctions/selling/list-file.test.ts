import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { itemColumns } from "#domain/item-csv.ts";
import { remove } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { readyPicture } from "#tests/support/pictures.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionProduct } from "../tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const headings = Object.values(itemColumns).join(",");
const end = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString().slice(0, 10);
const row = (name: string, changes: { grade?: string; pictures?: string; softClose?: string } = {}) =>
  [
    name,
    `"A ${name}, as new"`,
    "Home",
    "furniture",
    changes.grade ?? "A",
    "1 500",
    `${end} 18:00`,
    "",
    "Cape Town",
    "99",
    changes.pictures ?? "front.jpg",
    changes.softClose ?? "",
  ].join(",");
const fileOf = (...rows: string[]) => [headings, ...rows].join("\r\n");
const student = () => person(w, "student", "active");
const itemsOf = ({ id }: Person) =>
  w.services.database.db
    .select()
    .from(auctionProduct)
    .where(eq(auctionProduct.sellerId, id))
    .orderBy(auctionProduct.productName);
const timeZone = "Africa/Johannesburg";

test("a dry run returns row by row what would be listed, and changes nothing", async () => {
  const seller = await student();
  const file = fileOf(
    row("Desk"),
    row("Lamp", { grade: "Z" }),
    row("Chair", { pictures: "missing.jpg" }),
    row("Bed", { pictures: "" }),
    row("Table", { softClose: "perhaps" }),
  );
  const { rows } = await seller.caller.api.auctions.checkFile({ file, timeZone, pictures: ["Front.JPG"] });
  expect(rows).toMatchObject([
    { kind: "new", row: 2, name: "Desk", pictures: ["front.jpg"] },
    { kind: "refused", row: 3, name: "Lamp", message: "Grade: please fill it in as in the template." },
    { kind: "refused", row: 4, message: "There is no picture called missing.jpg among the files you chose." },
    { kind: "refused", row: 5, message: "Please upload at least one image." },
    { kind: "refused", row: 6, message: "Late bids extend it: please write yes or no." },
  ]);
  expect(await itemsOf(seller)).toEqual([]);
});

test("rows are listed independently, and the same row is never listed twice, even concurrently", async () => {
  const seller = await student();
  const { api } = seller.caller;
  const pictures = async () =>
    await Promise.all(
      ["front.jpg", "lamp.jpg"].map(async (name) => ({ name, id: await readyPicture(seller) })),
    );
  const file = fileOf(
    row("Desk"),
    row("Lamp", { grade: "Z", pictures: "lamp.jpg" }),
    row("Bed", { pictures: "lamp.jpg", softClose: "no" }),
  );
  const first = await api.auctions.listFile({ file, timeZone, pictures: await pictures() });
  expect(first.rows).toMatchObject([
    { kind: "listed", row: 2, before: false },
    { kind: "refused", row: 3 },
    { kind: "listed", row: 4, before: false },
  ]);
  const [bed, desk] = await itemsOf(seller);
  expect([desk?.softClose, bed?.softClose]).toEqual([true, false]);
  expect(desk).toMatchObject({
    productName: "Desk",
    category: "home",
    subcategory: "Furniture",
    grade: "Grade A",
    startingBid: 150_000,
    collectionPlace: "Cape Town",
    courier: 9_900,
    endDate: new Date(`${end}T16:00:00.000Z`),
  });
  const correctedFile = fileOf(
    row("Bed", { pictures: "lamp.jpg", softClose: "no" }),
    row("Lamp", { pictures: "lamp.jpg" }),
    row("Desk"),
  );
  expect(
    (await api.auctions.checkFile({ file: correctedFile, timeZone, pictures: ["lamp.jpg"] })).rows,
  ).toMatchObject([
    { kind: "listed", productId: bed?.id, before: true },
    { kind: "new" },
    { kind: "listed", productId: desk?.id, before: true },
  ]);
  const answers = await Promise.all(
    [await pictures(), await pictures()].map((each) =>
      api.auctions.listFile({ file: correctedFile, timeZone, pictures: each }),
    ),
  );
  const lamps = new Set(answers.map(({ rows }) => JSON.stringify(Object(rows[1]).productId)));
  expect(lamps.size).toBe(1);
  expect(await itemsOf(seller)).toHaveLength(3);

  expect((await remove(seller, bed?.id ?? "")).status).toBe(200);
  const again = await api.auctions.listFile({ file: correctedFile, timeZone, pictures: await pictures() });
  expect(again.rows).toMatchObject([{ kind: "listed", before: false }, { before: true }, { before: true }]);
});

test("another owner's picture and invalid files are refused", async () => {
  const [seller, other] = [await student(), await student()];
  const { api } = seller.caller;
  const { rows } = await api.auctions.listFile({
    file: fileOf(row("Desk")),
    timeZone,
    pictures: [{ name: "front.jpg", id: await readyPicture(other) }],
  });
  expect(rows).toMatchObject([{ kind: "refused", message: "Please choose the pictures again." }]);
  expect(await itemsOf(seller)).toEqual([]);
  for (const [file, message] of [
    ["Product name\r\nDesk", "The file lacks these columns: Description,"],
    [headings, "The file has no rows below its headings."],
    [fileOf(...Array.from({ length: 51 }, (_, at) => row(`Desk ${at}`))), "The file has more than 50 rows."],
    ['Product name,"x\r\n', "Row 1: A quotation mark is missing"],
  ] as const)
    await expect(api.auctions.checkFile({ file, timeZone, pictures: [] })).rejects.toMatchObject({
      code: "form/incomplete",
      message: expect.stringContaining(message),
    });
  const refused = await new Caller(w.app).call("auctions.listFile", { file: "", timeZone, pictures: [] });
  expect(refused.code).toBe("unauthenticated");
});
