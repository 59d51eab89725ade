ALTER TABLE "session" ADD COLUMN "proved_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
-- So far nobody has proved who they are but by the login itself.
UPDATE "session" SET "proved_at" = "created_at";
