CREATE TABLE "agreement" (
	"institution_id" uuid PRIMARY KEY NOT NULL,
	"entered_by" text,
	"entered_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "entry_requirements" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "entry_requirements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"hash" text NOT NULL,
	CONSTRAINT "entry_requirements_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "exchange_rate" (
	"day" date NOT NULL,
	"currency" text NOT NULL,
	"per_rand" numeric(20, 10) NOT NULL,
	CONSTRAINT "exchange_rate_currency_day_pk" PRIMARY KEY("currency","day")
);
--> statement-breakpoint
CREATE TABLE "grade_equivalence" (
	"id" uuid PRIMARY KEY NOT NULL,
	"from_scale" text NOT NULL,
	"from_grade" text NOT NULL,
	"to_scale" text NOT NULL,
	"to_grade" text NOT NULL,
	"first_year" integer,
	"last_year" integer,
	"source" text NOT NULL,
	"entered_by" text,
	"entered_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "institution" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"country" text NOT NULL,
	"place" text DEFAULT '' NOT NULL,
	"zone" text NOT NULL,
	"website" text DEFAULT '' NOT NULL,
	"other_names" text[] DEFAULT '{}' NOT NULL,
	"joined_to" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "intake_deadline" (
	"intake_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"group_id" uuid,
	"date" date NOT NULL,
	"time" text,
	"hard" boolean NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nationality_group" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"countries" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "programme" (
	"id" uuid PRIMARY KEY NOT NULL,
	"institution_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"level" text NOT NULL,
	"field" text NOT NULL,
	"award" text NOT NULL,
	"months" integer,
	"mode" text NOT NULL,
	"language" text NOT NULL,
	"url" text NOT NULL,
	"checked_on" date NOT NULL,
	"checked_by" text,
	"source" text NOT NULL,
	"source_id" text,
	"sample" boolean DEFAULT false NOT NULL,
	"entry_requirements_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"country" text NOT NULL,
	"title_key" text COLLATE "C" DEFAULT '' NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"judged_for" date DEFAULT '2000-01-01' NOT NULL,
	"apply_by" timestamp (3) with time zone DEFAULT '9999-12-31T00:00:00Z' NOT NULL,
	"tuition" bigint,
	"tuition_currency" text,
	"tuition_rand" bigint DEFAULT 9000000000000000 NOT NULL,
	"stale" boolean DEFAULT false NOT NULL,
	CONSTRAINT "programme_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "programme_fee" (
	"programme_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"per" text NOT NULL,
	"academic_year" integer NOT NULL,
	"audience" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	CONSTRAINT "programme_fee_programme_id_kind_per_academic_year_audience_pk" PRIMARY KEY("programme_id","kind","per","academic_year","audience")
);
--> statement-breakpoint
CREATE TABLE "programme_intake" (
	"id" uuid PRIMARY KEY NOT NULL,
	"programme_id" uuid NOT NULL,
	"year" integer NOT NULL,
	"month" integer NOT NULL,
	"state" text NOT NULL,
	"dropped_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "requirement" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "requirement_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"hash" text NOT NULL,
	"content" jsonb NOT NULL,
	CONSTRAINT "requirement_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "requirement_set" (
	"entry_requirements_id" integer NOT NULL,
	"place" integer NOT NULL,
	"requirement_ids" integer[] NOT NULL,
	CONSTRAINT "requirement_set_entry_requirements_id_place_pk" PRIMARY KEY("entry_requirements_id","place")
);
--> statement-breakpoint
CREATE TABLE "record_qualification" (
	"id" uuid PRIMARY KEY NOT NULL,
	"student_id" text NOT NULL,
	"country" text NOT NULL,
	"award" text NOT NULL,
	"name" text NOT NULL,
	"scale" text NOT NULL,
	"grade" text NOT NULL,
	"year" integer NOT NULL,
	"subjects" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"entered_by" text
);
--> statement-breakpoint
CREATE TABLE "record_test" (
	"id" uuid PRIMARY KEY NOT NULL,
	"student_id" text NOT NULL,
	"test" text NOT NULL,
	"taken_on" date NOT NULL,
	"overall" real NOT NULL,
	"components" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"entered_by" text
);
--> statement-breakpoint
CREATE TABLE "study_record" (
	"student_id" text PRIMARY KEY NOT NULL,
	"work_months" integer,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "programme_import" (
	"id" uuid PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"hash" text NOT NULL,
	"started_by" text,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"undone_at" timestamp (3) with time zone,
	"added" integer DEFAULT 0 NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "programme_import_change" (
	"import_id" uuid NOT NULL,
	"programme_id" uuid NOT NULL,
	"before" jsonb,
	"version" integer NOT NULL,
	CONSTRAINT "programme_import_change_import_id_programme_id_pk" PRIMARY KEY("import_id","programme_id")
);
--> statement-breakpoint
ALTER TABLE "application" ADD COLUMN "programme_id" uuid;--> statement-breakpoint
ALTER TABLE "application" ADD COLUMN "intake_id" uuid;--> statement-breakpoint
ALTER TABLE "shortlist_item" ADD COLUMN "programme_id" uuid;--> statement-breakpoint
ALTER TABLE "shortlist_item" ADD COLUMN "intake_id" uuid;--> statement-breakpoint
ALTER TABLE "agreement" ADD CONSTRAINT "agreement_institution_id_institution_id_fk" FOREIGN KEY ("institution_id") REFERENCES "public"."institution"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "intake_deadline" ADD CONSTRAINT "intake_deadline_intake_id_programme_intake_id_fk" FOREIGN KEY ("intake_id") REFERENCES "public"."programme_intake"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "intake_deadline" ADD CONSTRAINT "intake_deadline_group_id_nationality_group_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."nationality_group"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "programme" ADD CONSTRAINT "programme_institution_id_institution_id_fk" FOREIGN KEY ("institution_id") REFERENCES "public"."institution"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "programme" ADD CONSTRAINT "programme_entry_requirements_id_entry_requirements_id_fk" FOREIGN KEY ("entry_requirements_id") REFERENCES "public"."entry_requirements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "programme_fee" ADD CONSTRAINT "programme_fee_programme_id_programme_id_fk" FOREIGN KEY ("programme_id") REFERENCES "public"."programme"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "programme_intake" ADD CONSTRAINT "programme_intake_programme_id_programme_id_fk" FOREIGN KEY ("programme_id") REFERENCES "public"."programme"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requirement_set" ADD CONSTRAINT "requirement_set_entry_requirements_id_entry_requirements_id_fk" FOREIGN KEY ("entry_requirements_id") REFERENCES "public"."entry_requirements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_qualification" ADD CONSTRAINT "record_qualification_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_test" ADD CONSTRAINT "record_test_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "study_record" ADD CONSTRAINT "study_record_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "programme_import_change" ADD CONSTRAINT "programme_import_change_import_id_programme_import_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."programme_import"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "programme_import_change" ADD CONSTRAINT "programme_import_change_programme_id_programme_id_fk" FOREIGN KEY ("programme_id") REFERENCES "public"."programme"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "institution_name" ON "institution" USING btree ("country",lower(name)) WHERE joined_to is null;--> statement-breakpoint
CREATE INDEX "institution_joined_to_index" ON "institution" USING btree ("joined_to");--> statement-breakpoint
CREATE UNIQUE INDEX "intake_deadline_kind" ON "intake_deadline" USING btree ("intake_id","kind",coalesce(group_id::text, ''));--> statement-breakpoint
CREATE UNIQUE INDEX "nationality_group_name" ON "nationality_group" USING btree (lower(name));--> statement-breakpoint
CREATE UNIQUE INDEX "programme_source" ON "programme" USING btree ("source","source_id") WHERE source_id is not null;--> statement-breakpoint
CREATE INDEX "programme_institution_id_index" ON "programme" USING btree ("institution_id");--> statement-breakpoint
CREATE INDEX "programme_title" ON "programme" USING btree ("stale","title_key","id") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "programme_tuition" ON "programme" USING btree ("stale","tuition_rand","id") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "programme_apply_by" ON "programme" USING btree ("stale","apply_by","id") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "programme_search" ON "programme" USING gin ("search") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "programme_checked" ON "programme" USING btree ("checked_on","id") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "programme_entry_requirements_id_index" ON "programme" USING btree ("entry_requirements_id");--> statement-breakpoint
CREATE UNIQUE INDEX "programme_intake_start" ON "programme_intake" USING btree ("programme_id","year","month");--> statement-breakpoint
CREATE INDEX "programme_intake_month" ON "programme_intake" USING btree ("year","month","programme_id");--> statement-breakpoint
CREATE INDEX "record_qualification_student_id_index" ON "record_qualification" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "record_test_student_id_index" ON "record_test" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "programme_import_source_started_at_index" ON "programme_import" USING btree ("source","started_at");--> statement-breakpoint
ALTER TABLE "application" ADD CONSTRAINT "application_programme_id_programme_id_fk" FOREIGN KEY ("programme_id") REFERENCES "public"."programme"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application" ADD CONSTRAINT "application_intake_id_programme_intake_id_fk" FOREIGN KEY ("intake_id") REFERENCES "public"."programme_intake"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shortlist_item" ADD CONSTRAINT "shortlist_item_programme_id_programme_id_fk" FOREIGN KEY ("programme_id") REFERENCES "public"."programme"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shortlist_item" ADD CONSTRAINT "shortlist_item_intake_id_programme_intake_id_fk" FOREIGN KEY ("intake_id") REFERENCES "public"."programme_intake"("id") ON DELETE no action ON UPDATE no action;