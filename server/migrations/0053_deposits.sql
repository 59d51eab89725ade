ALTER TABLE "offer_deposit" ADD COLUMN "paid_on" date;--> statement-breakpoint
ALTER TABLE "offer_deposit" ADD COLUMN "paid_marked_by" text;--> statement-breakpoint
CREATE INDEX "application_with_offer" ON "application" USING btree ("student_id") WHERE state in ('conditionalOffer', 'unconditionalOffer', 'accepted');
--> statement-breakpoint
-- A deposit that is paid is due no more.
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
  WHERE deposit.due_at IS NOT NULL AND deposit.paid_on IS NULL
    AND state IN ('conditionalOffer', 'unconditionalOffer', 'accepted')
  UNION ALL
  SELECT 'condition:' || condition.id, 'condition', condition.id, student_id, application_id,
    NULL, condition.text, 'student', student_id,
    condition.due_date, condition.due_time, condition.due_zone, condition.due_whose, condition.due_hard,
    condition.due_at, offer.created_at
  FROM offer_condition condition JOIN offer ON offer.id = offer_id JOIN application ON application.id = application_id
  WHERE condition.state = 'open' AND application.state IN ('conditionalOffer', 'unconditionalOffer');
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "plan_reminders_of_thing"() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.due_at IS NULL THEN RETURN NULL; END IF;
  -- Offers and deposits have no state of their own, conditions and deposits no application, and only deposits are paid.
  IF TG_OP = 'UPDATE' AND OLD.due_at IS NOT DISTINCT FROM NEW.due_at
    AND to_jsonb(OLD) -> 'state' IS NOT DISTINCT FROM to_jsonb(NEW) -> 'state'
    AND to_jsonb(OLD) -> 'paid_on' IS NOT DISTINCT FROM to_jsonb(NEW) -> 'paid_on'
    AND to_jsonb(OLD) -> 'application_id' IS NOT DISTINCT FROM to_jsonb(NEW) -> 'application_id' THEN RETURN NULL; END IF;
  INSERT INTO public.reminder_plan (thing, since, next_at) VALUES (TG_ARGV[0] || ':' || NEW.id, now(), now())
  ON CONFLICT (thing) DO UPDATE SET since = excluded.since, next_at = excluded.next_at;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "offer_deposit_reminders" AFTER INSERT OR UPDATE OF due_at, paid_on ON "offer_deposit"
  FOR EACH ROW EXECUTE FUNCTION "plan_reminders_of_thing"('deposit');
