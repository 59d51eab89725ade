import { hash } from "node:crypto";
import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { RowOutcome } from "#contract/selling.ts";
import { auctionTexts } from "#domain/auction.ts";
import {
  type ItemRow,
  itemColumns,
  itemCsvLimit,
  missingHeadings,
  picturesProblem,
  readItemRow,
} from "#domain/item-csv.ts";
import { timeZoneNamed } from "#domain/local-time.ts";
import { checkProduct, type ProductForm } from "#domain/product-check.ts";
import { readCsv } from "#protocol/read-csv.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { createProduct } from "../catalogue/create-product.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { auctionProduct } from "../tables.ts";
import { auctionListedRow } from "./tables.ts";

/** Replaces the form's "Please fill in all fields.", also for a value that isn't one of the choices. */
const incompleteCell = "please fill it in as in the template.";

const unreadable = (message: string) => new Refusal("form/incomplete", { field: "file", message });

type CsvFile = { file: string; timeZone: string };
/** A row of a file; `key` identifies its content, and its position among rows of equal content. */
type KeyedRow = ItemRow & { row: number; key: string };

/** Reads a file of items. Refuses a file that is invalid as a whole. */
function readFile({ file, timeZone }: CsvFile): KeyedRow[] {
  const zone = timeZoneNamed(timeZone);
  if (zone === null) throw unreadable("Please choose a time zone.");
  const table = readCsv(file);
  if (table.kind === "problem") throw unreadable(`Row ${table.row}: ${table.message}`);
  const missing = missingHeadings(table.headings);
  if (missing.length > 0) throw unreadable(`The file lacks these columns: ${missing.join(", ")}.`);
  if (table.rows.length === 0) throw unreadable("The file has no rows below its headings.");
  if (table.rows.length > itemCsvLimit)
    throw unreadable(`The file has more than ${itemCsvLimit} rows. Please divide it.`);
  const counts = new Map<string, number>();
  return table.rows.map(({ number, cells }) => {
    const item = readItemRow(table.headings, cells, zone);
    const content = JSON.stringify(item);
    const position = counts.get(content) ?? 0;
    counts.set(content, position + 1);
    return { ...item, row: number, key: hash("sha256", `${position} ${content}`) };
  });
}

async function listedBefore(db: Reader, ownerId: string, rows: readonly KeyedRow[]) {
  const earlierRows = await db
    .select({ key: auctionListedRow.key, productId: auctionListedRow.productId })
    .from(auctionListedRow)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionListedRow.productId))
    .where(
      and(
        eq(auctionListedRow.ownerId, ownerId),
        ne(auctionProduct.state, "removed"),
        inArray(
          auctionListedRow.key,
          rows.map(({ key }) => key),
        ),
      ),
    );
  return new Map(earlierRows.map(({ key, productId }) => [key, productId]));
}

type RowProblem = Extract<ReturnType<typeof checkProduct>, { code: unknown }>;

/** Returns the message of a row's problem, with the column's heading if the message alone doesn't name the column. */
function messageOf({ message, field }: RowProblem): string {
  const hasColumn = field !== undefined && field !== "images" && field !== "softClose";
  const column = hasColumn ? itemColumns[field] : null;
  return message === auctionTexts.incomplete && column !== null ? `${column}: ${incompleteCell}` : message;
}

/** Returns the row as a form, or the message of its problem. */
function formOf(
  { row: _row, key: _key, pictures, softClose, ...texts }: KeyedRow,
  now: Date,
): ProductForm | string {
  if (softClose === null) return `${itemColumns.softClose}: please write yes or no.`;
  const form = { ...texts, softClose, images: pictures.length };
  const product = checkProduct(form, now);
  return "code" in product ? messageOf(product) : form;
}

const nameOf = ({ productName }: ItemRow): string => productName.slice(0, 200);

/** Returns what each row of a file would lead to. `names` are those of the pictures chosen with it. */
export async function checkFile(
  { database }: Services,
  ownerId: string,
  file: CsvFile,
  names: readonly string[],
): Promise<RowOutcome[]> {
  const rows = readFile(file);
  const pictureNames = new Set(names.map((name) => name.toLowerCase()));
  const [listedIds, now] = await Promise.all([
    listedBefore(database.db, ownerId, rows),
    databaseTime(database.db),
  ]);
  const used = new Map<string, number>();
  return rows.map((item): RowOutcome => {
    const { row, key, pictures } = item;
    const about = { row, name: nameOf(item) };
    const productId = listedIds.get(key);
    if (productId !== undefined) return { kind: "listed", ...about, productId, before: true };
    const form = formOf(item, now);
    const message = typeof form === "string" ? form : picturesProblem(pictures, pictureNames, used);
    if (message !== null) return { kind: "refused", ...about, message };
    for (const name of pictures) used.set(name.toLowerCase(), row);
    return { kind: "new", ...about, pictures };
  });
}

/** Thrown when a concurrent call has listed the row. */
class RowListedTwice extends Error {}

type SentFile = CsvFile & { pictures: readonly { name: string; id: string }[] };

/** Lists the valid rows of a file, one after the other. Returns the outcome of each row. */
export async function listFile(services: Services, actor: Actor, file: SentFile): Promise<RowOutcome[]> {
  const rows = readFile(file);
  const idOf = new Map(file.pictures.map(({ name, id }) => [name.toLowerCase(), id]));
  const outcomes: RowOutcome[] = [];
  const used = new Map<string, number>();
  for (const row of rows) {
    const outcome = await listRow(services, actor, row, idOf, used);
    if (outcome.kind === "listed" && !outcome.before)
      for (const name of row.pictures) used.set(name.toLowerCase(), row.row);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function listRow(
  services: Services,
  actor: Actor,
  item: KeyedRow,
  idOf: ReadonlyMap<string, string>,
  used: ReadonlyMap<string, number>,
): Promise<RowOutcome> {
  const { row, key, pictures } = item;
  const about = { row, name: nameOf(item) };
  const readEarlier = async (): Promise<RowOutcome | null> => {
    const productId = (await listedBefore(services.database.db, actor.userId, [item])).get(key);
    return productId === undefined ? null : { kind: "listed", ...about, productId, before: true };
  };
  const earlier = await readEarlier();
  if (earlier) return earlier;
  const message = picturesProblem(pictures, new Set(idOf.keys()), used);
  try {
    const images = pictures.flatMap((name) => idOf.get(name.toLowerCase()) ?? []);
    const form = formOf(item, await databaseTime(services.database.db));
    if (typeof form === "string") return { kind: "refused", ...about, message: form };
    if (message !== null) return { kind: "refused", ...about, message };
    const productId = await createProduct(services, actor, { ...form, images }, async (tx, id) => {
      const removed = tx
        .select({ id: auctionProduct.id })
        .from(auctionProduct)
        .where(and(eq(auctionProduct.id, auctionListedRow.productId), eq(auctionProduct.state, "removed")));
      // Another call with the same row waits here until this one has ended.
      const newRows = await tx
        .insert(auctionListedRow)
        .values({ ownerId: actor.userId, key, productId: id })
        .onConflictDoUpdate({
          target: [auctionListedRow.ownerId, auctionListedRow.key],
          set: { productId: id, at: sql`now()` },
          setWhere: sql`exists (${removed})`,
        })
        .returning({ key: auctionListedRow.key });
      if (newRows.length === 0) throw new RowListedTwice();
      return { copiedFrom: null };
    });
    return { kind: "listed", ...about, productId, before: false };
  } catch (error) {
    if (error instanceof RowListedTwice) {
      const other = await readEarlier();
      if (other) return other;
    }
    if (error instanceof Refusal) return { kind: "refused", ...about, message: error.message };
    throw error;
  }
}
