CREATE TABLE "calendar_feed" (
	"user_id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"made_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "calendar_feed_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "muted_thing" (
	"user_id" text NOT NULL,
	"thing" text NOT NULL,
	CONSTRAINT "muted_thing_user_id_thing_pk" PRIMARY KEY("user_id","thing")
);
--> statement-breakpoint
CREATE TABLE "pause" (
	"student_id" text PRIMARY KEY NOT NULL,
	"until" date NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reminder" (
	"thing" text NOT NULL,
	"rung" integer NOT NULL,
	"user_id" text NOT NULL,
	"queued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reminder_thing_rung_user_id_pk" PRIMARY KEY("thing","rung","user_id")
);
--> statement-breakpoint
CREATE TABLE "reminder_plan" (
	"thing" text PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "request" (
	"id" text PRIMARY KEY NOT NULL,
	"student_id" text NOT NULL,
	"application_id" text,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"reason" text NOT NULL,
	"blocks" boolean NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"due_date" date,
	"due_time" text,
	"due_zone" text,
	"due_whose" text,
	"due_hard" boolean,
	"due_at" timestamp (3) with time zone,
	"storage_key" text,
	"original_name" text,
	"media_type" text,
	"size" integer,
	"supplied_at" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "request_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "task" (
	"id" text PRIMARY KEY NOT NULL,
	"student_id" text NOT NULL,
	"application_id" text,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"owner" text NOT NULL,
	"owner_id" text,
	"state" text DEFAULT 'open' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"due_date" date,
	"due_time" text,
	"due_zone" text,
	"due_whose" text,
	"due_hard" boolean,
	"due_at" timestamp (3) with time zone,
	"template_id" text,
	"created_by" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "task_template" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"owner" text NOT NULL,
	"study_level" text,
	"country" text,
	"due_days" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "calendar_feed" ADD CONSTRAINT "calendar_feed_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "muted_thing" ADD CONSTRAINT "muted_thing_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pause" ADD CONSTRAINT "pause_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder" ADD CONSTRAINT "reminder_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request" ADD CONSTRAINT "request_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request" ADD CONSTRAINT "request_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task" ADD CONSTRAINT "task_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task" ADD CONSTRAINT "task_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reminder_user_id_queued_at_index" ON "reminder" USING btree ("user_id","queued_at");--> statement-breakpoint
CREATE INDEX "reminder_plan_next_at_index" ON "reminder_plan" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "request_student_id_created_at_index" ON "request" USING btree ("student_id","created_at");--> statement-breakpoint
CREATE INDEX "request_of_application" ON "request" USING btree ("application_id") WHERE application_id is not null;--> statement-breakpoint
CREATE INDEX "request_to_review" ON "request" USING btree ("student_id","supplied_at") WHERE state = 'supplied';--> statement-breakpoint
CREATE INDEX "request_open" ON "request" USING btree ("student_id","due_at") WHERE state in ('asked', 'sentBack');--> statement-breakpoint
CREATE INDEX "request_due" ON "request" USING btree ("due_at") WHERE state in ('asked', 'sentBack');--> statement-breakpoint
CREATE INDEX "task_student_id_created_at_index" ON "task" USING btree ("student_id","created_at");--> statement-breakpoint
CREATE INDEX "task_of_application" ON "task" USING btree ("application_id") WHERE application_id is not null;--> statement-breakpoint
CREATE INDEX "task_open" ON "task" USING btree ("student_id","due_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "task_open_of_admin" ON "task" USING btree ("owner_id","due_at") WHERE state = 'open' and owner = 'admin';--> statement-breakpoint
CREATE INDEX "task_due" ON "task" USING btree ("due_at") WHERE state = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "task_of_template" ON "task" USING btree ("student_id","template_id");
--> statement-breakpoint
CREATE TRIGGER "request_files_removed" AFTER DELETE ON "request" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "forget_files"('requestedFile');
--> statement-breakpoint
-- Everything that somebody still has to do. Each part reads one table alone, with subqueries for the rest, so that
-- conditions on the view reach the tables' indexes.
CREATE VIEW "due_thing" AS
  SELECT 'request:' || id AS thing, 'request' AS kind, id, student_id, application_id,
    kind AS document, name AS title, 'student' AS owner, student_id AS owner_id,
    due_date, due_time, due_zone, due_whose, due_hard, due_at, created_at
  FROM request
  WHERE state IN ('asked', 'sentBack') AND coalesce((
    SELECT application.state FROM application WHERE application.id = request.application_id), '')
    NOT IN ('rejected', 'withdrawn', 'enrolled')
  UNION ALL
  SELECT 'task:' || id, 'task', id, student_id, application_id,
    NULL, title, owner, CASE owner WHEN 'student' THEN student_id WHEN 'admin' THEN owner_id
      ELSE (SELECT assigned_agent_id FROM "user" WHERE "user".id = task.student_id) END,
    due_date, due_time, due_zone, due_whose, due_hard, due_at, created_at
  FROM task
  WHERE state = 'open' AND coalesce((
    SELECT application.state FROM application WHERE application.id = task.application_id), '')
    NOT IN ('rejected', 'withdrawn', 'enrolled');
--> statement-breakpoint
-- Reminders are looked at again whenever something changes on which they depend. The minute's job decides what to send.
-- The argument is the kind of the thing.
CREATE FUNCTION "plan_reminders_of_thing"() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.due_at IS NULL THEN RETURN NULL; END IF;
  INSERT INTO public.reminder_plan (thing, since, next_at) VALUES (TG_ARGV[0] || ':' || NEW.id, now(), now())
  ON CONFLICT (thing) DO UPDATE SET since = excluded.since, next_at = excluded.next_at;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "request_reminders" AFTER INSERT OR UPDATE OF state, due_at ON "request"
  FOR EACH ROW EXECUTE FUNCTION "plan_reminders_of_thing"('request');
--> statement-breakpoint
CREATE TRIGGER "task_reminders" AFTER INSERT OR UPDATE OF state, due_at ON "task"
  FOR EACH ROW EXECUTE FUNCTION "plan_reminders_of_thing"('task');
--> statement-breakpoint
CREATE FUNCTION "plan_reminders_of_application"() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.reminder_plan (thing, since, next_at)
  SELECT thing, now(), now() FROM public.due_thing WHERE application_id = NEW.id AND due_at IS NOT NULL
  ON CONFLICT (thing) DO UPDATE SET next_at = excluded.next_at;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "application_reminders" AFTER UPDATE OF state ON "application"
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION "plan_reminders_of_application"();
--> statement-breakpoint
CREATE FUNCTION "plan_reminders_of_person"() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.reminder_plan (thing, since, next_at)
  SELECT thing, now(), now() FROM public.due_thing
  WHERE due_at IS NOT NULL AND student_id = ANY (
    SELECT NEW.id UNION SELECT id FROM public."user" WHERE assigned_agent_id = NEW.id)
  UNION
  SELECT 'task:' || id, now(), now() FROM public.task
  WHERE state = 'open' AND owner = 'admin' AND owner_id = NEW.id AND due_at IS NOT NULL
  ON CONFLICT (thing) DO UPDATE SET next_at = excluded.next_at;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "user_reminders" AFTER UPDATE OF assigned_agent_id, status, time_zone ON "user"
  FOR EACH ROW WHEN (OLD.assigned_agent_id IS DISTINCT FROM NEW.assigned_agent_id
    OR OLD.status IS DISTINCT FROM NEW.status OR OLD.time_zone IS DISTINCT FROM NEW.time_zone)
  EXECUTE FUNCTION "plan_reminders_of_person"();
