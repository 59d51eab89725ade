CREATE EXTENSION IF NOT EXISTS unaccent;--> statement-breakpoint
-- As PostgreSQL's "english", without accents. Stop words are left out of index and searches alike.
CREATE TEXT SEARCH CONFIGURATION auction_search (COPY = english);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION auction_search
	ALTER MAPPING FOR asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart WITH unaccent, english_stem;--> statement-breakpoint
-- Whole words, which misspelt ones are compared with.
CREATE TEXT SEARCH CONFIGURATION auction_words (COPY = simple);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION auction_words
	ALTER MAPPING FOR asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart WITH unaccent, simple;--> statement-breakpoint
-- A text twice: its words without punctuation, letters and digits apart ("iPhone13" is "iPhone 13"), as domain/search-words.ts
-- has those of a search; and its words with what punctuation parts run together ("USB-C" is "USBC"). Characters are named one by
-- one, since what counts as a letter depends on a database's locale.
CREATE FUNCTION search_text(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(regexp_replace(regexp_replace(
	regexp_replace($1, '[''\u2019]', '', 'g'),
	'[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u303f]+', ' ', 'g'),
	'([0-9])([^0-9 ])', '\1 \2', 'g'),
	'([^0-9 ])([0-9])', '\1 \2', 'g')
	|| ' ' || regexp_replace($1, '[\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u2010-\u2027]+', '', 'g');--> statement-breakpoint
CREATE TABLE "auction_word" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
DROP TABLE "auction_vocabulary";--> statement-breakpoint
DROP INDEX "auction_bidding_words";--> statement-breakpoint
DROP INDEX "auction_product_words";--> statement-breakpoint
DROP INDEX "auction_bidding_price";--> statement-breakpoint
DROP INDEX "auction_bidding_facets_price";--> statement-breakpoint
DROP INDEX "auction_product_ending";--> statement-breakpoint
DROP INDEX "auction_product_newest";--> statement-breakpoint
DROP INDEX "auction_product_facets_ending";--> statement-breakpoint
DROP INDEX "auction_product_facets_newest";--> statement-breakpoint
ALTER TABLE "auction_product" ADD COLUMN "search" "tsvector" GENERATED ALWAYS AS (strip(to_tsvector('auction_search', search_text(product_name) || ' ' || category || ' ' || subcategory || ' ' || search_text(description)))
    || array_to_tsvector(array['/' || category || '/' || subcategory, '/' || grade])) STORED NOT NULL;--> statement-breakpoint
INSERT INTO "auction_word" SELECT DISTINCT unnest(tsvector_to_array(to_tsvector('auction_words', search_text("product_name")))) FROM "auction_product";--> statement-breakpoint
CREATE INDEX "auction_word_similar" ON "auction_word" USING gin ("word" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "auction_product_search" ON "auction_product" USING gin ("search") WITH (fastupdate=false) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "auction_bidding_price" ON "auction_bidding" USING btree ("price","product_id") WHERE open;--> statement-breakpoint
CREATE INDEX "auction_bidding_facets_price" ON "auction_bidding" USING btree ("category","subcategory","grade","price","product_id") WHERE open;--> statement-breakpoint
CREATE INDEX "auction_product_ending" ON "auction_product" USING btree ("end_date","id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "auction_product_newest" ON "auction_product" USING btree ("created_at","id","end_date") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "auction_product_facets_ending" ON "auction_product" USING btree ("category","subcategory","grade","end_date","id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "auction_product_facets_newest" ON "auction_product" USING btree ("category","subcategory","grade","created_at","id","end_date") WHERE state = 'open';--> statement-breakpoint
ALTER TABLE "auction_bidding" DROP COLUMN "folded_name";--> statement-breakpoint
ALTER TABLE "auction_product" DROP COLUMN "folded_name";