import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { StudyCountry, StudyLevel } from "#domain/application.ts";
import type { Currency } from "#domain/currency.ts";
import type {
  FeeAudience,
  FeeKind,
  FeePeriod,
  IntakeDeadlineKind,
  IntakeState,
  StudyField,
  StudyMode,
  TeachingLanguage,
} from "#domain/programme.ts";
import type { GradeScaleName } from "#domain/qualification.ts";
import type { Requirement } from "#domain/requirement.ts";
import { at, tsvector } from "#server/platform/columns.ts";

const day = (name: string) => date(name, { mode: "string" });

/** An institution of the catalogue. One that was joined to another keeps its row, so that its names lead there. */
export const institution = pgTable(
  "institution",
  {
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    country: text("country").$type<StudyCountry>().notNull(),
    /** Empty if unknown. */
    place: text("place").notNull().default(""),
    /** The IANA name of the time zone of its deadlines. */
    zone: text("zone").notNull(),
    website: text("website").notNull().default(""),
    /** Other names, such as a former one. */
    otherNames: text("other_names").array().notNull().default([]),
    /** The institution that this one is a duplicate of. */
    joinedTo: uuid("joined_to"),
    version: integer("version").notNull().default(1),
    createdAt: at("created_at").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("institution_name").on(table.country, sql`lower(name)`).where(sql`joined_to is null`),
    index().on(table.joinedTo),
  ],
);

/** A pair of institutions that staff have marked as different, the lesser id first. A join of either deletes it. */
export const differentInstitutions = pgTable(
  "different_institutions",
  {
    oneId: uuid("one_id")
      .notNull()
      .references(() => institution.id),
    otherId: uuid("other_id")
      .notNull()
      .references(() => institution.id),
    /** Null once the account is erased. */
    decidedBy: text("decided_by"),
    decidedAt: at("decided_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.oneId, table.otherId] }),
    check("different_institutions_order", sql`one_id < other_id`),
    index().on(table.otherId),
    index().on(table.decidedAt),
  ],
);

/** A single requirement, stored once and shared by all the programmes that ask for it. Rows never change. */
export const requirement = pgTable("requirement", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  /** SHA-256 of the content, as hexadecimal digits. */
  hash: text("hash").notNull().unique(),
  content: jsonb("content").$type<Requirement>().notNull(),
});

/** All ways into a programme, stored once and shared by the programmes with the same ones. Rows never change. */
export const entryRequirements = pgTable("entry_requirements", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  /** SHA-256 of the sets, as hexadecimal digits. */
  hash: text("hash").notNull().unique(),
});

/** One way into a programme: all of its requirements, in their order. */
export const requirementSet = pgTable(
  "requirement_set",
  {
    entryRequirementsId: integer("entry_requirements_id")
      .notNull()
      .references(() => entryRequirements.id),
    place: integer("place").notNull(),
    requirementIds: integer("requirement_ids").array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.entryRequirementsId, table.place] })],
);

/** A programme of the catalogue, as staff or an import entered it. */
export const programme = pgTable(
  "programme",
  {
    id: uuid("id").primaryKey(),
    institutionId: uuid("institution_id")
      .notNull()
      .references(() => institution.id),
    /** The last part of its address /programmes/{slug}, which stays when the title changes. */
    slug: text("slug").notNull().unique(),
    title: text("title").notNull(),
    level: text("level").$type<StudyLevel>().notNull(),
    field: text("field").$type<StudyField>().notNull(),
    award: text("award").notNull(),
    months: integer("months"),
    mode: text("mode").$type<StudyMode>().notNull(),
    language: text("language").$type<TeachingLanguage>().notNull(),
    url: text("url").notNull(),
    checkedOn: day("checked_on").notNull(),
    /** The account that checked it; null after an import, and once the account is erased. */
    checkedBy: text("checked_by"),
    source: text("source").notNull(),
    sourceId: text("source_id"),
    sample: boolean("sample").notNull().default(false),
    /** Null until any are entered. */
    entryRequirementsId: integer("entry_requirements_id").references(() => entryRequirements.id),
    /** Grows with every change. A change that is based on an older version is a conflict. */
    version: integer("version").notNull().default(1),
    /** Set once it is removed from the catalogue. Applications and shortlists keep their programme. */
    removedAt: at("removed_at"),
    /** The programme that this one is a duplicate of: its address and its source id lead there. */
    joinedTo: uuid("joined_to"),
    createdAt: at("created_at").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("programme_source").on(table.source, table.sourceId).where(sql`source_id is not null`),
    index().on(table.institutionId),
    index("programme_checked").on(table.checkedOn, table.id).where(sql`removed_at is null`),
    index().on(table.entryRequirementsId),
    index().on(table.joinedTo).where(sql`joined_to is not null`),
  ],
);

/** The `tuitionRand` of a programme without a known tuition in rand: it comes after all others. */
export const noAmount = 9_000_000_000_000_000;

/**
 * The row by which lists filter and order a programme. Only `refreshListing` writes it. A search may read all rows, so
 * they are narrow, with columns of fixed length first, which PostgreSQL finds without reading the others.
 */
export const programmeListing = pgTable(
  "programme_listing",
  {
    /** The approximate tuition in cents of rand, by the newest rate; `noAmount` without a tuition or rate. */
    tuitionRand: bigint("tuition_rand", { mode: "number" }).notNull(),
    /** The apply-by deadline of the next intake for everybody; in the year 9999 if there is none, or it has passed. */
    applyBy: at("apply_by").notNull(),
    id: uuid("id")
      .primaryKey()
      .references(() => programme.id, { onDelete: "cascade" }),
    /** The first day of the next intake's month; of the next month if there is none. */
    judgedFor: day("judged_for").notNull(),
    /** Whether the programme is removed from the catalogue. */
    removed: boolean("removed").notNull(),
    /** Whether nobody has checked it for 18 months, so that it comes last. */
    stale: boolean("stale").notNull(),
    entryRequirementsId: integer("entry_requirements_id"),
    /** The values of `programmeFacets` with slashes between them, for counting. */
    facets: text("facets").notNull(),
    titleKey: text("title_key").notNull(),
    /** The months of all upcoming intakes as YYYY-MM with spaces between them, for counting. */
    starts: text("starts").notNull(),
    search: tsvector("search").notNull(),
    /** The tuition per year that lists show, as it is published. */
    tuition: bigint("tuition", { mode: "number" }),
    tuitionCurrency: text("tuition_currency").$type<Currency>(),
  },
  (table) => [
    index("programme_listing_title").on(table.stale, table.titleKey, table.id).where(sql`not removed`),
    index("programme_listing_tuition").on(table.stale, table.tuitionRand, table.id).where(sql`not removed`),
    index("programme_listing_apply_by").on(table.stale, table.applyBy, table.id).where(sql`not removed`),
    index("programme_listing_judged").on(table.judgedFor, table.entryRequirementsId).where(sql`not removed`),
    index("programme_listing_requirements").on(table.entryRequirementsId).where(sql`not removed`),
    index("programme_listing_search").using("gin", table.search),
  ],
);

/** The words in titles and names of institutions, for correcting misspelt words of a search. */
export const programmeWord = pgTable("programme_word", { word: text("word").primaryKey() }, (table) => [
  index("programme_word_similar").using("gin", sql`${table.word} gin_trgm_ops`),
]);

/** A start of a programme. A dropped one keeps its row, because shortlists and applications may name it. */
export const programmeIntake = pgTable(
  "programme_intake",
  {
    id: uuid("id").primaryKey(),
    programmeId: uuid("programme_id")
      .notNull()
      .references(() => programme.id, { onDelete: "cascade" }),
    year: integer("year").notNull(),
    month: integer("month").notNull(),
    state: text("state").$type<IntakeState>().notNull(),
    droppedAt: at("dropped_at"),
  },
  (table) => [
    uniqueIndex("programme_intake_start").on(table.programmeId, table.year, table.month),
    index("programme_intake_month").on(table.year, table.month, table.programmeId),
  ],
);

/** A group of nationalities that can have its own deadlines. */
export const nationalityGroup = pgTable(
  "nationality_group",
  {
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    /** ISO 3166-1 codes. */
    countries: text("countries").array().notNull(),
  },
  () => [uniqueIndex("nationality_group_name").on(sql`lower(name)`)],
);

/** A deadline of an intake, in the time zone of its institution. */
export const intakeDeadline = pgTable(
  "intake_deadline",
  {
    intakeId: uuid("intake_id")
      .notNull()
      .references(() => programmeIntake.id, { onDelete: "cascade" }),
    kind: text("kind").$type<IntakeDeadlineKind>().notNull(),
    /** Null for everybody without a deadline of their group. */
    groupId: uuid("group_id").references(() => nationalityGroup.id),
    date: day("date").notNull(),
    /** HH:MM, or null for the end of the day. */
    time: text("time"),
    hard: boolean("hard").notNull(),
    /** Computed from the date, the time and the institution's zone. */
    dueAt: at("due_at").notNull(),
  },
  (table) => [
    uniqueIndex("intake_deadline_kind").on(table.intakeId, table.kind, sql`coalesce(group_id::text, '')`),
  ],
);

/** A fee of a programme, as it is published. */
export const programmeFee = pgTable(
  "programme_fee",
  {
    programmeId: uuid("programme_id")
      .notNull()
      .references(() => programme.id, { onDelete: "cascade" }),
    kind: text("kind").$type<FeeKind>().notNull(),
    per: text("per").$type<FeePeriod>().notNull(),
    /** The year in which the academic year begins. */
    academicYear: integer("academic_year").notNull(),
    audience: text("audience").$type<FeeAudience>().notNull(),
    /** In the currency's smallest unit. */
    amount: bigint("amount", { mode: "number" }).notNull(),
    currency: text("currency").$type<Currency>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.programmeId, table.kind, table.per, table.academicYear, table.audience] }),
  ],
);

/** A row of the consultancy's table of equivalent grades on different scales. */
export const gradeEquivalence = pgTable("grade_equivalence", {
  id: uuid("id").primaryKey(),
  fromScale: text("from_scale").$type<GradeScaleName>().notNull(),
  fromGrade: text("from_grade").notNull(),
  toScale: text("to_scale").$type<GradeScaleName>().notNull(),
  toGrade: text("to_grade").notNull(),
  firstYear: integer("first_year"),
  lastYear: integer("last_year"),
  /** The origin of the table, such as "UK ENIC, 2026". */
  source: text("source").notNull(),
  enteredBy: text("entered_by"),
  enteredAt: at("entered_at").notNull().defaultNow(),
});

/** An exchange rate of a day, entered by an admin: the amount of a currency per rand. */
export const exchangeRate = pgTable(
  "exchange_rate",
  {
    day: day("day").notNull(),
    currency: text("currency").$type<Currency>().notNull(),
    perRand: numeric("per_rand", { precision: 20, scale: 10 }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.currency, table.day] })],
);
