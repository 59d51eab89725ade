-- A name as searches compare it, without apostrophes: domain/name-search.ts leaves out the same ones.
CREATE FUNCTION plain_name(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN folded(regexp_replace($1, '[''`\u00b4\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02c8\u2032\uff07]', '', 'g'));--> statement-breakpoint
-- What an account is found by. Hyphens part words and join them ("Jean-Paul" is "Jean Paul" and "Jeanpaul"). Names in scripts
-- that have no spaces stand once more with the family name first, as people write them there.
CREATE FUNCTION people_text(name text, email text, family_name_first text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(plain_name(' ' || name || ' ' || email), '-', ' ')
	|| ' ' || replace(plain_name(name || ' ' || email), '-', '')
	|| ' ' || regexp_replace(family_name_first, '[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]', '', 'g');--> statement-breakpoint
-- Its index goes with it.
ALTER TABLE "user" DROP COLUMN "search_text";--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "search_text" text GENERATED ALWAYS AS (people_text(name, email, last_name || first_name)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "user_search_trigrams" ON "user" USING gin ("search_text" gin_trgm_ops) WHERE role = 'student';--> statement-breakpoint
ALTER TABLE "notification" ADD COLUMN "ids" jsonb;--> statement-breakpoint
CREATE INDEX "application_state_student_id_index" ON "application" USING btree ("state","student_id");
