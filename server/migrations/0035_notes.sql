CREATE TABLE "note" (
	"id" text PRIMARY KEY NOT NULL,
	"student_id" text NOT NULL,
	"application_id" text,
	"author_id" text NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "note_pin" (
	"student_id" text NOT NULL,
	"application_id" text,
	"note_id" text NOT NULL,
	CONSTRAINT "note_pin_of" UNIQUE NULLS NOT DISTINCT("student_id","application_id")
);
--> statement-breakpoint
ALTER TABLE "note" ADD CONSTRAINT "note_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "note" ADD CONSTRAINT "note_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "note_pin" ADD CONSTRAINT "note_pin_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "note_pin" ADD CONSTRAINT "note_pin_note_id_note_id_fk" FOREIGN KEY ("note_id") REFERENCES "public"."note"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "note_student_id_at_id_index" ON "note" USING btree ("student_id","at","id");--> statement-breakpoint
CREATE INDEX "note_application_id_at_id_index" ON "note" USING btree ("application_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_by_others" ON "audit" USING btree ("subject_id","at","id") WHERE actor_id <> subject_id;--> statement-breakpoint
-- Notes are only read and added. They can be removed by one function alone, once their student's deletion is due.
CREATE FUNCTION "note_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('wayfare.erasing', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'notes are append-only';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "note_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "note"
  FOR EACH STATEMENT EXECUTE FUNCTION "note_is_append_only"();
--> statement-breakpoint
CREATE FUNCTION "erase_notes"(account_id text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM FROM public."user" WHERE id = account_id AND deletion_due_at <= clock_timestamp() FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'the deletion of this account is not due'; END IF;
  PERFORM set_config('wayfare.erasing', 'on', true);
  DELETE FROM public.note WHERE student_id = account_id;
  PERFORM set_config('wayfare.erasing', 'off', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "erase_notes"(text) FROM PUBLIC;
