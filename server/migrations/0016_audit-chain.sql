CREATE TABLE "audit_chain" (
	"position" bigint PRIMARY KEY NOT NULL,
	"audit_id" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_chain_audit_id_unique" UNIQUE("audit_id")
);
--> statement-breakpoint
-- A link can't be changed or removed, and only the trigger below writes one: by the name "_read_only" the application's
-- role gets no other right than to read (server/platform/prepare-database.ts).
CREATE FUNCTION "audit_chain_is_read_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('wayfare.audit_trim', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the chain of the audit log is append-only';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_chain_read_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_chain"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_chain_is_read_only"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "audit_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('wayfare.audit_trim', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;
--> statement-breakpoint
-- What is hashed of an entry, after the hash before it. The same text is in server/features/audit/verify-chain.ts.
CREATE FUNCTION "audit_text"(a "audit") RETURNS text LANGUAGE sql STABLE
RETURN jsonb_build_array(a.id, (extract(epoch from a.at) * 1000000)::bigint, a.action, a.actor_id, a.subject_id,
  a.address, a.detail)::text;
--> statement-breakpoint
-- Runs when the transaction commits: the lock is the last that it takes, and is held until the commit is done.
CREATE FUNCTION "audit_link"() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  head public.audit_chain;
BEGIN
  PERFORM pg_advisory_xact_lock(7233002);
  -- A statement after the lock: it sees what was committed under it.
  SELECT * INTO head FROM public.audit_chain ORDER BY position DESC LIMIT 1;
  INSERT INTO public.audit_chain VALUES (coalesce(head.position, 0) + 1, NEW.id,
    encode(sha256(convert_to(coalesce(head.hash, '') || public.audit_text(NEW), 'UTF8')), 'hex'));
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "audit_linked" AFTER INSERT ON "audit" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "audit_link"();
--> statement-breakpoint
-- Entries of before. The trigger's lock keeps nodes that still run from adding any until all of this is committed.
DO $$
DECLARE
  entry "audit";
  at_position bigint := 0;
  last_hash text := '';
BEGIN
  FOR entry IN SELECT * FROM "audit" ORDER BY id LOOP
    at_position := at_position + 1;
    last_hash := encode(sha256(convert_to(last_hash || "audit_text"(entry), 'UTF8')), 'hex');
    INSERT INTO "audit_chain" VALUES (at_position, entry.id, last_hash);
  END LOOP;
END
$$;
--> statement-breakpoint
-- Takes away the oldest entries, at most so many, of before a time that is at least 365 days ago whatever is asked for.
-- Its last link stays as what the rest of the chain hangs on, and an entry names it. Returns how many entries went.
CREATE FUNCTION "audit_trim"(older_than timestamptz, most integer) RETURNS integer LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  link record;
  last_position bigint;
  last_hash text;
  removed integer;
BEGIN
  FOR link IN
    SELECT c.position, c.hash, a.at FROM public.audit_chain c LEFT JOIN public.audit a ON a.id = c.audit_id
    ORDER BY c.position LIMIT most + 1
  LOOP
    -- The first may be the anchor of an earlier time; a later link without its entry is evidence, and stays.
    EXIT WHEN link.at >= least(older_than, now() - interval '365 days') OR (link.at IS NULL AND last_position IS NOT NULL);
    last_position := link.position;
    last_hash := link.hash;
  END LOOP;
  PERFORM set_config('wayfare.audit_trim', 'on', true);
  DELETE FROM public.audit a USING public.audit_chain c WHERE c.audit_id = a.id AND c.position <= last_position;
  GET DIAGNOSTICS removed = ROW_COUNT;
  DELETE FROM public.audit_chain WHERE position < last_position;
  PERFORM set_config('wayfare.audit_trim', 'off', true);
  IF removed = 0 THEN RETURN 0; END IF;
  INSERT INTO public.audit (action, detail) VALUES ('audit-trimmed',
    jsonb_build_object('entries', removed::text, 'position', last_position::text, 'hash', last_hash));
  RETURN removed;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "audit_trim"(timestamptz, integer) FROM PUBLIC;
