ALTER TABLE "user" ADD COLUMN "deletion_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "last_login_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "notification" ADD COLUMN "agent_id" text;--> statement-breakpoint
CREATE INDEX "user_deletion_due" ON "user" USING btree ("deletion_due_at") WHERE deletion_due_at is not null;--> statement-breakpoint
CREATE INDEX "notification_age" ON "notification" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "notification_of_agent" ON "notification" USING btree ("agent_id") WHERE agent_id is not null;--> statement-breakpoint
-- The steps of an application can be removed by one function alone (docs/adr/0026-erasure-and-retention.md).
CREATE OR REPLACE FUNCTION "application_step_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('wayfare.erasing', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the steps of an application are append-only';
END
$$;
--> statement-breakpoint
CREATE FUNCTION "erase_application_steps"(account_id text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM FROM public."user" WHERE id = account_id AND deletion_due_at <= clock_timestamp() FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'the deletion of this account is not due'; END IF;
  PERFORM set_config('wayfare.erasing', 'on', true);
  DELETE FROM public.application_step USING public.application
  WHERE application.id = application_step.application_id AND application.student_id = account_id;
  PERFORM set_config('wayfare.erasing', 'off', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "erase_application_steps"(text) FROM PUBLIC;
