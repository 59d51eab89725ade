ALTER TABLE "auction_bidding" ADD COLUMN "uncounted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "auction_bidding" SET "uncounted" = (
  SELECT count(*) FROM "auction_bid" b
  WHERE b."product_id" = "auction_bidding"."product_id" AND (
    b."kind" NOT IN ('bid', 'auto')
    OR EXISTS (SELECT FROM "bid_withdrawal" w
      WHERE w."product_id" = b."product_id" AND w."bidder_id" = b."bidder_id" AND w."number" > b."number")
    OR EXISTS (SELECT FROM "bid_withdrawal" w
      JOIN "auction_bid" a ON a."product_id" = w."product_id" AND a."number" = w."number"
      WHERE w."product_id" = b."product_id" AND w."number" > b."number" AND a."amount" < b."amount")))
WHERE EXISTS (SELECT FROM "bid_withdrawal" w WHERE w."product_id" = "auction_bidding"."product_id");
