import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { ProgrammeEntry } from "#domain/programme.ts";
import { at } from "#server/platform/columns.ts";
import { programme } from "../tables.ts";

/** An import of programmes from a file. It is finished once `finishedAt` is set; until then it can be continued. */
export const programmeImport = pgTable(
  "programme_import",
  {
    id: uuid("id").primaryKey(),
    source: text("source").notNull(),
    /** SHA-256 of the file, as hexadecimal digits. */
    hash: text("hash").notNull(),
    /** Null once the account is erased. */
    startedBy: text("started_by"),
    startedAt: at("started_at").notNull().defaultNow(),
    finishedAt: at("finished_at"),
    undoneAt: at("undone_at"),
    added: integer("added").notNull().default(0),
    changed: integer("changed").notNull().default(0),
  },
  (table) => [index().on(table.source, table.startedAt)],
);

/** An entry with the account that had checked it. Changes that were recorded by earlier versions have none. */
export type EntryBefore = ProgrammeEntry & { checkedBy?: string | null };

/** A change of a programme by an import, for undoing it. */
export const programmeImportChange = pgTable(
  "programme_import_change",
  {
    importId: uuid("import_id")
      .notNull()
      .references(() => programmeImport.id, { onDelete: "cascade" }),
    programmeId: uuid("programme_id")
      .notNull()
      .references(() => programme.id),
    /** The entry before the import; null for a programme that it has added, or added again after an undo. */
    before: jsonb("before").$type<EntryBefore>(),
    /** The institution before the import. */
    institutionId: uuid("institution_id"),
    /** The programme's version after the import. A later one comes from another change, which an undo keeps. */
    version: integer("version").notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.programmeId] })],
);
