-- Only "auction_bidding" is locked, so that nodes of the version before go on listing items meanwhile without a deadlock.
ALTER TABLE "auction_bidding" ADD COLUMN "ends_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "auction_bidding" SET "ends_at" = "end_date" FROM "auction_product" WHERE "auction_product"."id" = "product_id";--> statement-breakpoint
ALTER TABLE "auction_bidding" ALTER COLUMN "ends_at" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "auction_bidding_ending" ON "auction_bidding" USING btree ("ends_at","product_id") WHERE open;--> statement-breakpoint
CREATE INDEX "auction_bidding_facets_ending" ON "auction_bidding" USING btree ("category","subcategory","grade","ends_at","product_id") WHERE open;--> statement-breakpoint
-- A node of the version before names no end when it lists an item. A later version drops this trigger.
CREATE FUNCTION "auction_bidding_ends_at"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ends_at := (SELECT end_date FROM auction_product WHERE id = NEW.product_id);
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "auction_bidding_ends_at" BEFORE INSERT ON "auction_bidding"
  FOR EACH ROW WHEN (NEW."ends_at" IS NULL) EXECUTE FUNCTION "auction_bidding_ends_at"();
