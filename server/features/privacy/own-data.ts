import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { documentLabel, documentTypes, downloadName } from "#domain/document.ts";
import { lockStatus } from "#server/features/account/queries.ts";
import { application } from "#server/features/applications/tables.ts";
import { keyOf } from "#server/features/auctions/pictures/picture-files.ts";
import { auctionPicture, auctionProduct } from "#server/features/auctions/tables.ts";
import { type Actor, recordOwn } from "#server/features/audit/commands.ts";
import { messageFile } from "#server/features/conversations/tables.ts";
import { document } from "#server/features/documents/tables.ts";
import type { FilePurpose } from "#server/features/files/purposes.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { offer } from "#server/features/offers/tables.ts";
import { request } from "#server/features/planner/tables.ts";
import type { Database, Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { tablesOfPeople } from "./tables-of-people.ts";

/** A file that belongs to the caller: its name in the zip, and its key in the store. */
type OwnFile = { name: string; key: string; size: number; at: Date };
/** `missing` names the files that the store has lost. */
export type OwnFiles = { files: readonly OwnFile[]; missing: readonly string[] };

/** Number of rows fetched at a time. */
const batchSize = 500;
/** Number of concurrent lookups in the store. */
const fileConcurrency = 20;
const day = (at: Date) => at.toISOString().slice(0, 10);

type StoredFile = { name: string; key: string; at: Date };

/** Lists a student's documents, earlier versions included, with unique names for a zip. */
async function documentsOf(db: Reader, studentId: string): Promise<StoredFile[]> {
  const rows = await db
    .select()
    .from(document)
    .where(eq(document.studentId, studentId))
    .orderBy(asc(document.kind), asc(document.uploadedAt), asc(document.id));
  return rows.map(({ kind, mediaType, replacedAt, uploadedAt, storageKey, id }) => {
    const name = downloadName(documentLabel[kind], mediaType);
    const earlier = `documents/earlier/${day(uploadedAt)} ${id.slice(0, 8)} ${name}`;
    return { name: replacedAt ? earlier : `documents/${name}`, key: storageKey, at: uploadedAt };
  });
}

/** Lists the files in a student's conversations, with unique names for a zip. */
async function messageFilesOf(db: Reader, studentId: string): Promise<StoredFile[]> {
  const rows = await db
    .select()
    .from(messageFile)
    .where(eq(messageFile.studentId, studentId))
    .orderBy(asc(messageFile.uploadedAt), asc(messageFile.id));
  return rows.map(({ id, name, mediaType, uploadedAt, storageKey }) => ({
    name: `messages/${day(uploadedAt)} ${id.slice(0, 8)} ${downloadName(fileName(name), mediaType)}`,
    key: storageKey,
    at: uploadedAt,
  }));
}

/** Lists the pictures of a user's items, in the largest size that is stored. */
async function picturesOf(db: Reader, ownerId: string): Promise<StoredFile[]> {
  const rows = await db
    .select({
      id: auctionPicture.id,
      productId: auctionPicture.productId,
      item: auctionProduct.productName,
      position: auctionPicture.position,
      at: auctionPicture.createdAt,
    })
    .from(auctionPicture)
    .leftJoin(auctionProduct, eq(auctionProduct.id, auctionPicture.productId))
    .where(eq(auctionPicture.ownerId, ownerId))
    .orderBy(asc(auctionPicture.createdAt), asc(auctionPicture.id));
  return rows.map(({ id, productId, item, position, at }) => {
    const folder = productId ? `${fileName(item ?? "")} ${productId.slice(0, 8)}` : "not used";
    return { name: `items/${folder}/${position + 1} ${id.slice(0, 8)}.jpg`, key: keyOf(id, 1600, "jpg"), at };
  });
}

/** Lists the letters of a student's offers. */
async function lettersOf(db: Reader, studentId: string): Promise<StoredFile[]> {
  const rows = await db
    .select({
      key: storedFile.key,
      type: storedFile.mediaType,
      at: storedFile.createdAt,
      program: application.program,
      id: offer.id,
    })
    .from(storedFile)
    .innerJoin(offer, eq(offer.id, storedFile.recordId))
    .innerJoin(application, eq(application.id, offer.applicationId))
    .where(and(eq(storedFile.purpose, "offerLetter"), eq(application.studentId, studentId)))
    .orderBy(asc(storedFile.createdAt), asc(storedFile.key));
  return rows.flatMap(({ key, type, at, program, id }) => {
    const mediaType = documentTypes.find((each) => each === type);
    const name = `${fileName(program)} ${id.slice(0, 8)}`;
    return mediaType ? [{ name: `offer letters/${downloadName(name, mediaType)}`, key, at }] : [];
  });
}

/** Lists the files that a student sent on request. */
async function requestedOf(db: Reader, studentId: string): Promise<StoredFile[]> {
  const rows = await db
    .select()
    .from(request)
    .where(eq(request.studentId, studentId))
    .orderBy(asc(request.id));
  return rows.flatMap(({ id, name, storageKey, mediaType, suppliedAt }) =>
    storageKey === null || mediaType === null || suppliedAt === null
      ? []
      : [
          {
            name: `requests/${downloadName(`${fileName(name)} ${id.slice(0, 8)}`, mediaType)}`,
            key: storageKey,
            at: suppliedAt,
          },
        ],
  );
}

const fileName = (text: string): string =>
  text
    .replaceAll(/[\\/:*?"<>|\p{C}]/gu, "_")
    .slice(0, 60)
    .trim();

/** Lists a user's files of each purpose, with unique names for a zip. */
const listsByPurpose: Record<FilePurpose, (db: Reader, userId: string) => Promise<StoredFile[]>> = {
  document: documentsOf,
  offerLetter: lettersOf,
  requestedFile: requestedOf,
  message: messageFilesOf,
  auctionPicture: picturesOf,
};

/** Lists the caller's own files, with their sizes. */
export async function ownFiles({ database, storage }: Services, userId: string): Promise<OwnFiles> {
  const lists = await Promise.all(Object.values(listsByPurpose).map((list) => list(database.db, userId)));
  const entries = lists.flat();
  const files: OwnFile[] = [];
  const missing: string[] = [];
  for (let at = 0; at < entries.length; at += fileConcurrency)
    await Promise.all(
      entries.slice(at, at + fileConcurrency).map(async (each) => {
        if (!(await storage.disk.exists(each.key))) return void missing.push(each.name);
        const { contentLength } = await storage.disk.getMetaData(each.key);
        files.push({ ...each, size: contentLength });
      }),
    );
  return { files: files.toSorted((a, b) => (a.name < b.name ? -1 : 1)), missing };
}

/** A row of the download, with the index of its subject. */
type OwnRow = { place: number; row: string };

/**
 * Selects the rows of all subjects, in their order. Uses one statement, because separate ones add up to seconds while
 * the process is busy.
 */
function allRows(subjects: readonly (readonly [subject: string, select: SQL])[]): SQL {
  const parts = subjects.map(
    ([, select], place) =>
      sql`select ${sql.raw(String(place))} as place, row_number() over () as number, row_to_json(own)::text as row
        from (${select}) own`,
  );
  return sql`select place, row from (${sql.join(parts, sql` union all `)}) rows order by place, number`;
}

/** Yields all rows about a user as one JSON object of lists by subject, and counts them in `counts`. */
async function* rowsOf(
  { pool }: Pick<Database, "pool">,
  userId: string,
  isLeftOut: (subject: string) => boolean,
  counts: Map<string, number>,
): AsyncGenerator<Uint8Array> {
  const subjects = tablesOfPeople
    .flatMap(({ download = {} }) => Object.entries(download))
    .filter(([subject]) => !isLeftOut(subject))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([subject, select]) => [subject, select(userId)] as const);
  const client = await pool.connect();
  let isComplete = false;
  try {
    const db = drizzle(client);
    await db.execute(sql`begin isolation level repeatable read read only`);
    let next = 0;
    /** Returns the headings up to this subject, closing the list before each. */
    const headings = (place: number): string =>
      subjects
        .slice(next, place + 1)
        .map(([subject], at) => {
          counts.set(subject, 0);
          return `${next + at === 0 ? "{" : "\n],"}\n${JSON.stringify(subject)}: [`;
        })
        .join("");
    for await (const rows of fetchBatches(db, allRows(subjects)))
      yield Buffer.from(
        rows
          .map(({ place, row }) => {
            const separator = headings(place);
            next = Math.max(next, place + 1);
            const subject = subjects[place]?.[0] ?? "";
            const count = counts.get(subject) ?? 0;
            counts.set(subject, count + 1);
            return `${separator}${count > 0 ? "," : ""}\n  ${row}`;
          })
          .join(""),
      );
    yield Buffer.from(`${headings(subjects.length)}\n]\n}\n`);
    await db.execute(sql`commit`);
    isComplete = true;
  } finally {
    // A connection in the middle of a transaction can't be reused.
    client.release(!isComplete);
  }
}

/** Yields rows in batches, so that a long history need not fit into memory. */
async function* fetchBatches(db: Reader, select: SQL): AsyncGenerator<OwnRow[]> {
  await db.execute(sql`declare own_rows no scroll cursor for ${select}`);
  for (;;) {
    const { rows } = await db.execute<OwnRow>(sql`fetch ${sql.raw(String(batchSize))} from own_rows`);
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) break;
  }
}

/**
 * Passes everything about the caller to `take`: the rows as a JSON file on disk, which exists until `take` is done, and
 * their number by subject. Writes the audit entry first.
 */
export async function withOwnData<Result>(
  { database, storage, environment }: Services,
  actor: Actor,
  take: (data: {
    size: number;
    open(): ReturnType<typeof createReadStream>;
    counts: ReadonlyMap<string, number>;
  }) => Promise<Result>,
): Promise<Result> {
  await database.transaction(async (tx) => {
    if ((await lockStatus(tx, actor.userId)) === null) throw new Refusal("not-found");
    await recordOwn(tx, "data-downloaded", actor);
  });
  const counts = new Map<string, number>();
  const isLeftOut = (subject: string) => subject === "staffNotes" && !environment.notesInDownload;
  return await storage.withDraft(rowsOf(database, actor.userId, isLeftOut, counts), async (draft) => {
    const { size } = await stat(draft);
    return await take({ size, open: () => createReadStream(draft), counts });
  });
}
