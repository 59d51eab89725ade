DROP INDEX "auction_bidding_words";--> statement-breakpoint
DROP INDEX "auction_product_words";--> statement-breakpoint
-- The words again, each beside the kinds that it is used for.
DROP TABLE "auction_vocabulary";--> statement-breakpoint
CREATE TABLE "auction_vocabulary" (
	"word" text NOT NULL,
	"category" text NOT NULL,
	"subcategory" text NOT NULL,
	CONSTRAINT "auction_vocabulary_word_category_subcategory_pk" PRIMARY KEY("word","category","subcategory")
);
--> statement-breakpoint
INSERT INTO "auction_vocabulary" ("word", "category", "subcategory")
SELECT DISTINCT unnest(string_to_array("folded_name", ' ')), "category", "subcategory" FROM "auction_product";--> statement-breakpoint
CREATE INDEX "auction_vocabulary_parts" ON "auction_vocabulary" USING gin ("word" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "auction_bidding_words" ON "auction_bidding" USING gin ((string_to_array(folded_name, ' ') || array[' ' || category || ' ' || subcategory, ' ' || grade, ' p' || floor(ln(greatest(price, 1)) * 2)::int::text])) WITH (fastupdate=false) WHERE open;--> statement-breakpoint
CREATE INDEX "auction_product_words" ON "auction_product" USING gin ((string_to_array(folded_name, ' ') || array[' ' || category || ' ' || subcategory, ' ' || grade, ' e' || ((end_date at time zone 'UTC')::date - date '1970-01-01')::text, ' c' || ((created_at at time zone 'UTC')::date - date '1970-01-01')::text])) WITH (fastupdate=false) WHERE state = 'open';