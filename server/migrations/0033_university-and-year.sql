DROP INDEX "application_open";--> statement-breakpoint
ALTER TABLE "application" ADD COLUMN "intake_year" integer;--> statement-breakpoint
ALTER TABLE "application" ADD COLUMN "university" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "application_open" ON "application" USING btree ("student_id",lower(btrim(program)),"start_date",lower(university),coalesce(intake_year, 0)) WHERE state not in ('rejected', 'withdrawn', 'enrolled');