import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { Gender, ProfileField } from "#domain/profile.ts";
import { at } from "#server/platform/columns.ts";
import { user } from "../account/tables.ts";

/**
 * A student's or an agent's profile, without the fields of the account: names, email, phone, country. There is no row
 * until the first save. `version` grows with every save; a save that was based on an older version is a conflict.
 */
export const profile = pgTable("profile", {
  userId: text("user_id")
    .primaryKey()
    .references(() => user.id, { onDelete: "cascade" }),
  middleName: text("middle_name").notNull(),
  dateOfBirth: date("date_of_birth", { mode: "string" }),
  idNumber: text("id_number").notNull(),
  citizenship: text("citizenship").notNull(),
  passportNumber: text("passport_number").notNull(),
  passportExpiry: date("passport_expiry", { mode: "string" }),
  gender: text("gender").$type<Gender>(),
  addressLine1: text("address_line_1").notNull(),
  addressLine2: text("address_line_2").notNull(),
  city: text("city").notNull(),
  state: text("state").notNull(),
  postalCode: text("postal_code").notNull(),
  version: integer("version").notNull().default(1),
  updatedAt: at("updated_at").notNull().defaultNow(),
});

/**
 * The fields of a student's profile that were entered on their behalf, each with its save. A later change by the
 * student or an admin deletes the row. `enteredBy` has no foreign key, because the row outlives that account.
 */
export const enteredField = pgTable(
  "entered_field",
  {
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    field: text("field").$type<ProfileField>().notNull(),
    enteredBy: text("entered_by").notNull(),
    enteredAt: at("entered_at").notNull(),
    /** The version of the profile that the save created. */
    version: integer("version").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.field] })],
);
