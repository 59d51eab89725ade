import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { at } from "#server/platform/columns.ts";
import type { FilePurpose } from "./purposes.ts";

/**
 * Every file that the store keeps, under its key. `recordId` is the row of its purpose, which decides who may see it;
 * when that row goes, a trigger removes the file's row. Triggers also add rows for nodes of earlier versions and for
 * imports: those have no hash and no result of a scan, and pictures among them no size.
 */
export const storedFile = pgTable(
  "stored_file",
  {
    key: text("key").primaryKey(),
    purpose: text("purpose").$type<FilePurpose>().notNull(),
    recordId: text("record_id").notNull(),
    /** The person whose file it is. */
    ownerId: text("owner_id").notNull(),
    /** The name that its owner gave it. */
    name: text("name"),
    mediaType: text("media_type").notNull(),
    /** Bytes. */
    size: integer("size"),
    /** SHA-256 in hexadecimal. */
    sha256: text("sha256"),
    /** `off`: no scanner was set up when it came. */
    scan: text("scan").$type<"clean" | "off">(),
    /** The person who uploaded a document or a requested file in the owner's place; null for the owner. */
    uploadedBy: text("uploaded_by"),
    createdAt: at("created_at").notNull().defaultNow(),
  },
  (table) => [
    index("stored_file_of_record").on(table.purpose, table.recordId),
    index("stored_file_of_owner").on(table.ownerId),
  ],
);
