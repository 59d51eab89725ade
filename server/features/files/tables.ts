import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { at } from "#server/platform/columns.ts";
import type { FilePurpose } from "./purposes.ts";

/**
 * Every file in the store, by its key. `recordId` is the row of its purpose, which decides who may see the file; when
 * that row is deleted, a trigger deletes the file's row. Triggers also add rows for nodes of earlier versions and for
 * imports: those have no hash and no scan result, and pictures among them no size.
 */
export const storedFile = pgTable(
  "stored_file",
  {
    key: text("key").primaryKey(),
    purpose: text("purpose").$type<FilePurpose>().notNull(),
    recordId: text("record_id").notNull(),
    ownerId: text("owner_id").notNull(),
    /** The name that its owner gave it. */
    name: text("name"),
    mediaType: text("media_type").notNull(),
    /** Bytes. */
    size: integer("size"),
    /** SHA-256 in hexadecimal. */
    sha256: text("sha256"),
    /** `off`: no scanner was configured when the file was uploaded. */
    scan: text("scan").$type<"clean" | "off">(),
    /** The person who uploaded a document or a requested file on the owner's behalf; null if the owner did. */
    uploadedBy: text("uploaded_by"),
    createdAt: at("created_at").notNull().defaultNow(),
  },
  (table) => [
    index("stored_file_of_record").on(table.purpose, table.recordId),
    index("stored_file_of_owner").on(table.ownerId),
  ],
);
