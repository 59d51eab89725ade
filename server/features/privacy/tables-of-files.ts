import { sql } from "drizzle-orm";
import { auctionPicture } from "../auctions/tables.ts";
import { document } from "../documents/tables.ts";
import { storedFile } from "../files/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** The tables of kept files and of what they belong to. */
export const tablesOfFiles: readonly TableOfPeople[] = [
  {
    table: document,
    download: {
      documents: (id) => sql`
        select kind, original_name as "originalName", media_type as "mediaType", size as "bytes", state, reason,
          reviewed_at as "reviewedAt", uploaded_at as "uploadedAt", replaced_at as "replacedAt"
        from document where student_id = ${id} order by kind, uploaded_at`,
    },
    erase: [({ id }) => sql`delete from document where student_id = ${id}`],
  },
  {
    table: auctionPicture,
    leftOut: "The pictures of your items are files in this folder.",
    erase: [({ id }) => sql`delete from auction_picture where owner_id = ${id}`],
  },
  {
    table: storedFile,
    leftOut: "Your files are in this folder.",
    erase: [({ id }) => sql`delete from stored_file where owner_id = ${id}`],
  },
];
