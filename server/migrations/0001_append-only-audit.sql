CREATE FUNCTION "audit_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_is_append_only"();
