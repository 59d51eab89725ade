CREATE TABLE "auction_limit" (
	"bidder_id" text NOT NULL,
	"idempotency_key" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"amount" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"salt" "bytea",
	CONSTRAINT "auction_limit_bidder_id_idempotency_key_pk" PRIMARY KEY("bidder_id","idempotency_key")
);
--> statement-breakpoint
ALTER TABLE "auction_bid" ALTER COLUMN "idempotency_key" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "auction_bid" ADD COLUMN "kind" text DEFAULT 'bid' NOT NULL;--> statement-breakpoint
ALTER TABLE "auction_bid" ADD COLUMN "tag" text;--> statement-breakpoint
ALTER TABLE "auction_bid" ADD COLUMN "hash" "bytea";--> statement-breakpoint
ALTER TABLE "auction_bid" ADD COLUMN "commitment" "bytea";--> statement-breakpoint
ALTER TABLE "auction_bidder" ADD COLUMN "outbid_at_once" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "auction_bidding" ADD COLUMN "leader_limit" bigint;--> statement-breakpoint
ALTER TABLE "auction_bidding" ADD COLUMN "latest_end" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "auction_bidding" ADD COLUMN "head" "bytea";--> statement-breakpoint
ALTER TABLE "auction_bidding" ADD COLUMN "written_to" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "auction_product" ADD COLUMN "soft_close" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "auction_product" ADD COLUMN "rules" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "auction_product" ADD COLUMN "seller_tag" text;--> statement-breakpoint
CREATE INDEX "auction_limit_of_product" ON "auction_limit" USING btree ("product_id","number");