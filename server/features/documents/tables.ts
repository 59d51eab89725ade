import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { DocumentKind, DocumentState, DocumentType } from "#domain/document.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/**
 * The uploaded files in students' six slots. Replacing a file keeps the earlier row, with `replacedAt` set, and its
 * bytes. The bytes are in the store under `storageKey`: documents/{kind}/{studentId}/{random}, with the kind that the
 * file was uploaded as.
 */
export const document = pgTable(
  "document",
  {
    id: text("id").primaryKey(),
    studentId: text("student_id")
      .notNull()
      .references(() => user.id),
    kind: text("kind").$type<DocumentKind>().notNull(),
    storageKey: text("storage_key").notNull().unique(),
    originalName: text("original_name").notNull(),
    mediaType: text("media_type").$type<DocumentType>().notNull(),
    /** Bytes. */
    size: integer("size").notNull(),
    state: text("state").$type<DocumentState>().notNull().default("uploaded"),
    /** The reason of a rejection. */
    reason: text("reason").notNull().default(""),
    reviewedBy: text("reviewed_by"),
    reviewedAt: at("reviewed_at"),
    uploadedAt: at("uploaded_at").notNull().defaultNow(),
    replacedAt: at("replaced_at"),
  },
  (table) => [
    uniqueIndex("document_current").on(table.studentId, table.kind).where(sql`replaced_at is null`),
    index().on(table.studentId),
    index("document_rejected").on(table.studentId).where(sql`state = 'rejected' and replaced_at is null`),
    index("document_waiting").on(table.uploadedAt).where(sql`state = 'uploaded' and replaced_at is null`),
  ],
);
