-- A change by which nothing is due at another time leaves the plan as it is: a rung that is due just then would be
-- skipped. A task that goes over to another application is planned anew.
CREATE OR REPLACE FUNCTION "plan_reminders_of_thing"() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.due_at IS NULL THEN RETURN NULL; END IF;
  -- Offers and deposits have no state of their own, conditions and deposits no application.
  IF TG_OP = 'UPDATE' AND OLD.due_at IS NOT DISTINCT FROM NEW.due_at
    AND to_jsonb(OLD) -> 'state' IS NOT DISTINCT FROM to_jsonb(NEW) -> 'state'
    AND to_jsonb(OLD) -> 'application_id' IS NOT DISTINCT FROM to_jsonb(NEW) -> 'application_id' THEN RETURN NULL; END IF;
  INSERT INTO public.reminder_plan (thing, since, next_at) VALUES (TG_ARGV[0] || ':' || NEW.id, now(), now())
  ON CONFLICT (thing) DO UPDATE SET since = excluded.since, next_at = excluded.next_at;
  RETURN NULL;
END
$$;
