CREATE TABLE "sharing" (
	"student_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"stopped_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sharing_student_id_agent_id_pk" PRIMARY KEY("student_id","agent_id")
);
--> statement-breakpoint
ALTER TABLE "sharing" ADD CONSTRAINT "sharing_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sharing" ADD CONSTRAINT "sharing_agent_id_user_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sharing_agent_id_index" ON "sharing" USING btree ("agent_id");--> statement-breakpoint
-- No code reads or writes "sharing_stopped_with" and "sharing_stopped_at" of "user" any more. Nodes of the version before
-- still do, so these two triggers carry each side's changes to the other. The next version drops columns and triggers.
CREATE FUNCTION "user_sharing_stopped"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.sharing_stopped_with IS NULL THEN
    DELETE FROM sharing WHERE student_id = OLD.id AND agent_id = OLD.sharing_stopped_with;
  ELSE
    INSERT INTO sharing VALUES (NEW.id, NEW.sharing_stopped_with, NEW.sharing_stopped_at) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "user_sharing_stopped" AFTER UPDATE OF "sharing_stopped_with" ON "user"
  FOR EACH ROW WHEN (NEW."sharing_stopped_with" IS DISTINCT FROM OLD."sharing_stopped_with")
  EXECUTE FUNCTION "user_sharing_stopped"();--> statement-breakpoint
INSERT INTO "sharing" SELECT "id", "sharing_stopped_with", "sharing_stopped_at" FROM "user"
  WHERE "sharing_stopped_with" IS NOT NULL;--> statement-breakpoint
CREATE FUNCTION "sharing_stopped"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE "user" SET sharing_stopped_with = NEW.agent_id, sharing_stopped_at = NEW.stopped_at
      WHERE id = NEW.student_id AND sharing_stopped_with IS DISTINCT FROM NEW.agent_id;
  ELSE
    UPDATE "user" SET sharing_stopped_with = NULL, sharing_stopped_at = NULL
      WHERE id = OLD.student_id AND sharing_stopped_with = OLD.agent_id;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "sharing_stopped" AFTER INSERT OR DELETE ON "sharing"
  FOR EACH ROW EXECUTE FUNCTION "sharing_stopped"();
