ALTER TABLE "thread" ADD COLUMN "settled_by_student" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- "settled_up_to" is about the staff alone from now on. What stands there so far ended the wait of either side.
UPDATE "thread" SET "settled_by_student" = "settled_up_to" WHERE "settled_up_to" > 0;
