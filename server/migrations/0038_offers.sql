CREATE TABLE "offer" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"due_date" date,
	"due_time" text,
	"due_zone" text,
	"due_whose" text,
	"due_hard" boolean,
	"due_at" timestamp (3) with time zone,
	"start_date" date,
	"rank" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "offer_application_id_unique" UNIQUE("application_id")
);
--> statement-breakpoint
CREATE TABLE "offer_condition" (
	"id" text PRIMARY KEY NOT NULL,
	"offer_id" text NOT NULL,
	"place" integer NOT NULL,
	"text" text NOT NULL,
	"kind" text NOT NULL,
	"due_date" date,
	"due_time" text,
	"due_zone" text,
	"due_whose" text,
	"due_hard" boolean,
	"due_at" timestamp (3) with time zone,
	"state" text DEFAULT 'open' NOT NULL,
	"claim" text DEFAULT '' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"marked_by" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "offer_deposit" (
	"id" text PRIMARY KEY NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"due_date" date,
	"due_time" text,
	"due_zone" text,
	"due_whose" text,
	"due_hard" boolean,
	"due_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "offer_overdue" (
	"offer_id" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"audience" text NOT NULL,
	"told_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "offer_overdue_offer_id_due_at_audience_pk" PRIMARY KEY("offer_id","due_at","audience")
);
--> statement-breakpoint
ALTER TABLE "offer" ADD CONSTRAINT "offer_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer_condition" ADD CONSTRAINT "offer_condition_offer_id_offer_id_fk" FOREIGN KEY ("offer_id") REFERENCES "public"."offer"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer_deposit" ADD CONSTRAINT "offer_deposit_id_offer_id_fk" FOREIGN KEY ("id") REFERENCES "public"."offer"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer_overdue" ADD CONSTRAINT "offer_overdue_offer_id_offer_id_fk" FOREIGN KEY ("offer_id") REFERENCES "public"."offer"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "offer_due_at_index" ON "offer" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "offer_condition_offer_id_place_index" ON "offer_condition" USING btree ("offer_id","place");

--> statement-breakpoint
CREATE TRIGGER "offer_files_removed" AFTER DELETE ON "offer" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "forget_files"('offerLetter');
--> statement-breakpoint
-- What open offers ask of their students joins everything else that is still to do.
CREATE OR REPLACE VIEW "due_thing" AS
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
    NOT IN ('rejected', 'withdrawn', 'enrolled')
  UNION ALL
  SELECT 'offer:' || offer.id, 'offer', offer.id, student_id, application_id,
    NULL, 'Reply to the offer: ' || program, 'student', student_id,
    due_date, due_time, due_zone, due_whose, due_hard, due_at, offer.created_at
  FROM offer JOIN application ON application.id = application_id
  WHERE due_at IS NOT NULL AND state IN ('conditionalOffer', 'unconditionalOffer')
  UNION ALL
  SELECT 'deposit:' || deposit.id, 'deposit', deposit.id, student_id, application_id,
    NULL, 'Deposit: ' || program, 'student', student_id,
    deposit.due_date, deposit.due_time, deposit.due_zone, deposit.due_whose, deposit.due_hard, deposit.due_at,
    offer.created_at
  FROM offer_deposit deposit JOIN offer ON offer.id = deposit.id JOIN application ON application.id = application_id
  WHERE deposit.due_at IS NOT NULL AND state IN ('conditionalOffer', 'unconditionalOffer', 'accepted')
  UNION ALL
  SELECT 'condition:' || condition.id, 'condition', condition.id, student_id, application_id,
    NULL, condition.text, 'student', student_id,
    condition.due_date, condition.due_time, condition.due_zone, condition.due_whose, condition.due_hard,
    condition.due_at, offer.created_at
  FROM offer_condition condition JOIN offer ON offer.id = offer_id JOIN application ON application.id = application_id
  WHERE condition.state = 'open' AND application.state IN ('conditionalOffer', 'unconditionalOffer');
--> statement-breakpoint
CREATE TRIGGER "offer_reminders" AFTER INSERT OR UPDATE OF due_at ON "offer"
  FOR EACH ROW EXECUTE FUNCTION "plan_reminders_of_thing"('offer');
--> statement-breakpoint
CREATE TRIGGER "offer_deposit_reminders" AFTER INSERT OR UPDATE OF due_at ON "offer_deposit"
  FOR EACH ROW EXECUTE FUNCTION "plan_reminders_of_thing"('deposit');
--> statement-breakpoint
CREATE TRIGGER "offer_condition_reminders" AFTER INSERT OR UPDATE OF state, due_at ON "offer_condition"
  FOR EACH ROW EXECUTE FUNCTION "plan_reminders_of_thing"('condition');
