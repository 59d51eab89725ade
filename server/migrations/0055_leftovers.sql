-- What nodes of earlier versions needed, and the version before doesn't: the former sign-in library's columns, two indexes
-- of the end of an item, and the trigger that wrote its end beside its bids.
ALTER TABLE "user" DROP COLUMN "image";--> statement-breakpoint
ALTER TABLE "account" DROP COLUMN "access_token", DROP COLUMN "refresh_token", DROP COLUMN "id_token",
  DROP COLUMN "access_token_expires_at", DROP COLUMN "refresh_token_expires_at", DROP COLUMN "scope";--> statement-breakpoint
DROP INDEX "auction_product_ending";--> statement-breakpoint
DROP INDEX "auction_product_facets_ending";--> statement-breakpoint
DROP TRIGGER "auction_bidding_ends_at" ON "auction_bidding";--> statement-breakpoint
DROP FUNCTION "auction_bidding_ends_at"();--> statement-breakpoint
-- No code reads "countries" any more. Nodes of the version before still name it, so the next version drops it.
UPDATE "application" SET "country_codes" = "countries" WHERE "country_codes" IS NULL;--> statement-breakpoint
ALTER TABLE "application" ALTER COLUMN "country_codes" SET NOT NULL;
