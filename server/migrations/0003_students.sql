CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "application" (
	"id" text PRIMARY KEY NOT NULL,
	"student_id" text NOT NULL,
	"program" text NOT NULL,
	"highest_study_level" text NOT NULL,
	"countries" text[] NOT NULL,
	"start_date" text NOT NULL,
	"additional_info" text NOT NULL,
	"state" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "application_step" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "application_step_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"application_id" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor_id" text NOT NULL,
	"from" text,
	"to" text NOT NULL,
	"note" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "document" (
	"id" text PRIMARY KEY NOT NULL,
	"student_id" text NOT NULL,
	"kind" text NOT NULL,
	"storage_key" text NOT NULL,
	"original_name" text NOT NULL,
	"media_type" text NOT NULL,
	"size" integer NOT NULL,
	"state" text DEFAULT 'uploaded' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"reviewed_by" text,
	"reviewed_at" timestamp (3) with time zone,
	"uploaded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"replaced_at" timestamp (3) with time zone,
	CONSTRAINT "document_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "muted_mail" (
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	CONSTRAINT "muted_mail_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notification" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"event_key" text NOT NULL,
	"about" jsonb NOT NULL,
	"path" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "shortlist_item" (
	"id" text PRIMARY KEY NOT NULL,
	"student_id" text NOT NULL,
	"university" text NOT NULL,
	"course" text NOT NULL,
	"url" text NOT NULL,
	"added_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "profile" (
	"user_id" text PRIMARY KEY NOT NULL,
	"middle_name" text NOT NULL,
	"date_of_birth" date,
	"id_number" text NOT NULL,
	"citizenship" text NOT NULL,
	"passport_number" text NOT NULL,
	"passport_expiry" date,
	"gender" text,
	"address_line_1" text NOT NULL,
	"address_line_2" text NOT NULL,
	"city" text NOT NULL,
	"state" text NOT NULL,
	"postal_code" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "assigned_agent_id" text;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "assigned_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "application" ADD CONSTRAINT "application_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_step" ADD CONSTRAINT "application_step_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document" ADD CONSTRAINT "document_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "muted_mail" ADD CONSTRAINT "muted_mail_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shortlist_item" ADD CONSTRAINT "shortlist_item_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profile" ADD CONSTRAINT "profile_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "application_student_id_created_at_index" ON "application" USING btree ("student_id","created_at");--> statement-breakpoint
CREATE INDEX "application_state_updated_at_index" ON "application" USING btree ("state","updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "application_open" ON "application" USING btree ("student_id",lower(btrim(program)),"start_date") WHERE state not in ('rejected', 'withdrawn', 'enrolled');--> statement-breakpoint
CREATE INDEX "application_step_application_id_id_index" ON "application_step" USING btree ("application_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "document_current" ON "document" USING btree ("student_id","kind") WHERE replaced_at is null;--> statement-breakpoint
CREATE INDEX "document_student_id_index" ON "document" USING btree ("student_id");--> statement-breakpoint
CREATE UNIQUE INDEX "notification_user_id_event_key_index" ON "notification" USING btree ("user_id","event_key");--> statement-breakpoint
CREATE INDEX "notification_user_id_id_index" ON "notification" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "notification_unread" ON "notification" USING btree ("user_id") WHERE read_at is null;--> statement-breakpoint
CREATE INDEX "shortlist_item_student_id_created_at_index" ON "shortlist_item" USING btree ("student_id","created_at");--> statement-breakpoint
ALTER TABLE "user" ADD CONSTRAINT "user_assigned_agent_id_user_id_fk" FOREIGN KEY ("assigned_agent_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "user_by_name" ON "user" USING btree ("role",lower("name"),"id");--> statement-breakpoint
CREATE INDEX "user_by_agent_and_name" ON "user" USING btree ("role","assigned_agent_id",lower("name"),"id");--> statement-breakpoint
CREATE INDEX "user_role_email_id_index" ON "user" USING btree ("role","email","id");--> statement-breakpoint
CREATE INDEX "user_by_country" ON "user" USING btree ("role",lower("country"),"id");--> statement-breakpoint
CREATE INDEX "user_name_trigrams" ON "user" USING gin (lower("name") gin_trgm_ops) WHERE role = 'student';
--> statement-breakpoint
CREATE FUNCTION "application_step_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the steps of an application are append-only';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "application_step_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "application_step"
  FOR EACH STATEMENT EXECUTE FUNCTION "application_step_is_append_only"();
