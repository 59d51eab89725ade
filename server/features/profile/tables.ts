import { date, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { Gender } from "#domain/profile.ts";
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
  updatedAt: timestamp("updated_at", { withTimezone: true, precision: 3 }).notNull().defaultNow(),
});
