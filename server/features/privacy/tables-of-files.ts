import { type SQL, sql } from "drizzle-orm";
import { auctionPicture } from "../auctions/tables.ts";
import { document } from "../documents/tables.ts";
import { storedFile } from "../files/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** Selects the name of the person who uploaded a file on its owner's behalf; null for the owner. */
export const enteredBy = (storageKey: SQL) => sql`
  (select coalesce(nullif(concat_ws(', ', by.name, nullif(by.agency, '')), ''), 'somebody whose account is gone')
   from stored_file left join "user" by on by.id = uploaded_by where key = ${storageKey} and uploaded_by is not null)`;

/** The tables of stored files and of the records that they belong to. */
export const tablesOfFiles: readonly TableOfPeople[] = [
  {
    table: document,
    download: {
      documents: (id) => sql`
        select kind, original_name as "originalName", media_type as "mediaType", size as "bytes", state, reason,
          reviewed_at as "reviewedAt", uploaded_at as "uploadedAt", replaced_at as "replacedAt",
          ${enteredBy(sql`storage_key`)} as "enteredBy"
        from document where student_id = ${id} order by kind, uploaded_at`,
    },
    erase: [({ id }) => sql`delete from document where student_id = ${id}`],
  },
  {
    table: auctionPicture,
    omittedBecause: "The pictures of your items are files in this folder.",
    erase: [({ id }) => sql`delete from auction_picture where owner_id = ${id}`],
  },
  {
    table: storedFile,
    omittedBecause: "Your files are in this folder.",
    keptBecause: "a file that staff uploaded belongs to the student; it has only the uploader's former id",
    erase: [({ id }) => sql`delete from stored_file where owner_id = ${id}`],
  },
];
