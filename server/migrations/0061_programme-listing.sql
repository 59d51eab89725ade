CREATE TABLE "programme_listing" (
	"tuition_rand" bigint NOT NULL,
	"apply_by" timestamp (3) with time zone NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"judged_for" date NOT NULL,
	"removed" boolean NOT NULL,
	"stale" boolean NOT NULL,
	"entry_requirements_id" integer,
	"facets" text NOT NULL,
	"title_key" text COLLATE "C" NOT NULL,
	"starts" text NOT NULL,
	"search" "tsvector" NOT NULL,
	"tuition" bigint,
	"tuition_currency" text
);
--> statement-breakpoint
-- No code reads or writes the columns of "programme" any more that this table has in their place, nor their indexes. Nodes
-- of the version before still do, so this trigger carries their changes over, and new rows need no country. Changes of newer
-- nodes are not carried back. The next version drops columns, indexes and trigger.
CREATE FUNCTION "programme_listing_of"("programme") RETURNS "programme_listing" LANGUAGE sql STABLE AS $$
  SELECT ($1).tuition_rand, ($1).apply_by, ($1).id, ($1).judged_for, ($1).removed_at IS NOT NULL, ($1).stale,
    ($1).entry_requirements_id, concat_ws('/', ($1).country, ($1).level, ($1).field, ($1).language, ($1).mode),
    ($1).title_key, array_to_string(($1).starts, ' '), ($1).search, ($1).tuition, ($1).tuition_currency
$$;
--> statement-breakpoint
CREATE FUNCTION "programme_listed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM programme_listing WHERE id = NEW.id;
  INSERT INTO programme_listing SELECT (programme_listing_of(NEW)).*;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "programme_listed" AFTER UPDATE ON "programme" FOR EACH ROW
  WHEN ((NEW.removed_at IS NULL, NEW.title_key, NEW.search, NEW.starts, NEW.judged_for, NEW.apply_by, NEW.tuition, NEW.tuition_currency, NEW.tuition_rand, NEW.stale)
    IS DISTINCT FROM (OLD.removed_at IS NULL, OLD.title_key, OLD.search, OLD.starts, OLD.judged_for, OLD.apply_by, OLD.tuition, OLD.tuition_currency, OLD.tuition_rand, OLD.stale))
  EXECUTE FUNCTION "programme_listed"();--> statement-breakpoint
INSERT INTO "programme_listing" SELECT listed.* FROM "programme" CROSS JOIN LATERAL "programme_listing_of"("programme") listed
  ORDER BY listed.stale, listed.title_key;--> statement-breakpoint
ALTER TABLE "programme" ALTER COLUMN "country" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "programme_listing" ADD CONSTRAINT "programme_listing_id_programme_id_fk" FOREIGN KEY ("id") REFERENCES "public"."programme"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "programme_listing_title" ON "programme_listing" USING btree ("stale","title_key","id") WHERE not removed;--> statement-breakpoint
CREATE INDEX "programme_listing_tuition" ON "programme_listing" USING btree ("stale","tuition_rand","id") WHERE not removed;--> statement-breakpoint
CREATE INDEX "programme_listing_apply_by" ON "programme_listing" USING btree ("stale","apply_by","id") WHERE not removed;--> statement-breakpoint
CREATE INDEX "programme_listing_judged" ON "programme_listing" USING btree ("judged_for","entry_requirements_id") WHERE not removed;--> statement-breakpoint
CREATE INDEX "programme_listing_requirements" ON "programme_listing" USING btree ("entry_requirements_id") WHERE not removed;--> statement-breakpoint
CREATE INDEX "programme_listing_search" ON "programme_listing" USING gin ("search");
