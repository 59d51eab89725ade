ALTER TABLE "session" ADD COLUMN "two_step" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "browser_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- An account with an authenticator app has been asked for its code at every login since.
UPDATE "session" SET "two_step" = true FROM "second_factor"
  WHERE "second_factor"."user_id" = "session"."user_id" AND "session"."created_at" >= "second_factor"."created_at";
