ALTER TABLE "user" DROP CONSTRAINT "user_role_and_status";--> statement-breakpoint
ALTER TABLE "user" ADD CONSTRAINT "user_role_and_status" CHECK (("user"."role" = 'student' and "user"."status" in ('active', 'disabled', 'leaving'))
        or ("user"."role" = 'admin' and "user"."status" in ('active', 'disabled'))
        or ("user"."role" = 'agent' and "user"."status" in ('pending', 'approved', 'revoked', 'disabled', 'leaving')));--> statement-breakpoint
-- Until now whoever asked for the deletion of their account was disabled.
UPDATE "user" SET "status" = 'leaving' WHERE "status" = 'disabled' AND "deletion_due_at" IS NOT NULL;
