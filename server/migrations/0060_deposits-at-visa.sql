DROP INDEX "application_with_offer";--> statement-breakpoint
CREATE INDEX "application_with_offer" ON "application" USING btree ("student_id") WHERE state in ('conditionalOffer', 'unconditionalOffer', 'accepted', 'visa');
--> statement-breakpoint
-- A deposit is due until it is paid or the student is enrolled.
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
    AND state IN ('conditionalOffer', 'unconditionalOffer', 'accepted', 'visa')
  UNION ALL
  SELECT 'condition:' || condition.id, 'condition', condition.id, student_id, application_id,
    NULL, condition.text, 'student', student_id,
    condition.due_date, condition.due_time, condition.due_zone, condition.due_whose, condition.due_hard,
    condition.due_at, offer.created_at
  FROM offer_condition condition JOIN offer ON offer.id = offer_id JOIN application ON application.id = application_id
  WHERE condition.state = 'open' AND application.state IN ('conditionalOffer', 'unconditionalOffer');
--> statement-breakpoint
-- Deposits that were due no more at Visa get the reminders that are still to come.
INSERT INTO "reminder_plan" (thing, since, next_at)
SELECT thing, now(), now() FROM "due_thing" WHERE kind = 'deposit' ON CONFLICT (thing) DO NOTHING;
