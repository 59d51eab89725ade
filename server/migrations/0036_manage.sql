CREATE TABLE "bulk_item" (
	"run_id" text NOT NULL,
	"position" integer NOT NULL,
	"student_id" text,
	"application_id" text,
	"expected" jsonb NOT NULL,
	"outcome" text,
	"reason" text,
	"at" timestamp (3) with time zone,
	CONSTRAINT "bulk_item_run_id_position_pk" PRIMARY KEY("run_id","position")
);
--> statement-breakpoint
CREATE TABLE "bulk_run" (
	"id" text PRIMARY KEY NOT NULL,
	"act" text NOT NULL,
	"input" jsonb NOT NULL,
	"by" text NOT NULL,
	"address" text NOT NULL,
	"undoes" text,
	"frozen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "saved_view" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text,
	"name" text NOT NULL,
	"view" jsonb NOT NULL,
	"columns" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_view_name" UNIQUE NULLS NOT DISTINCT("owner_id","name")
);
--> statement-breakpoint
CREATE TABLE "student_export" (
	"id" text PRIMARY KEY NOT NULL,
	"by" text NOT NULL,
	"view" jsonb NOT NULL,
	"columns" text[] NOT NULL,
	"student_ids" text[],
	"identity" boolean NOT NULL,
	"purpose" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bulk_item" ADD CONSTRAINT "bulk_item_run_id_bulk_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."bulk_run"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_item" ADD CONSTRAINT "bulk_item_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulk_run" ADD CONSTRAINT "bulk_run_by_user_id_fk" FOREIGN KEY ("by") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_owner_id_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_export" ADD CONSTRAINT "student_export_by_user_id_fk" FOREIGN KEY ("by") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_item_student_id_index" ON "bulk_item" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "bulk_run_by_frozen_at_index" ON "bulk_run" USING btree ("by","frozen_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_run_undoes_index" ON "bulk_run" USING btree ("undoes");--> statement-breakpoint
CREATE INDEX "bulk_run_frozen_at_index" ON "bulk_run" USING btree ("frozen_at");--> statement-breakpoint
CREATE INDEX "student_export_created_at_index" ON "student_export" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "user_phone_trigrams" ON "user" USING gin (regexp_replace("phone", '\D', '', 'g') gin_trgm_ops) WHERE role = 'student';--> statement-breakpoint
CREATE INDEX "document_rejected" ON "document" USING btree ("student_id") WHERE state = 'rejected' and replaced_at is null;