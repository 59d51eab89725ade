ALTER TABLE "user" ADD COLUMN "disabled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "disabled_by" text;--> statement-breakpoint
UPDATE "user" SET "disabled_at" = last."at", "disabled_by" = last."actor_id"
FROM (
  SELECT DISTINCT ON ("subject_id") "subject_id", "at", "actor_id"
  FROM "audit"
  WHERE "action" = 'account-disabled'
  ORDER BY "subject_id", "at" DESC
) AS last
WHERE "user"."id" = last."subject_id" AND "user"."status" = 'disabled';
