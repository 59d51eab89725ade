CREATE TABLE "auction_bid" (
	"product_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"bidder_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"idempotency_key" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "auction_bid_product_id_number_pk" PRIMARY KEY("product_id","number")
);
--> statement-breakpoint
CREATE TABLE "auction_bidder" (
	"product_id" uuid NOT NULL,
	"bidder_id" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"amount" bigint NOT NULL,
	"number" integer NOT NULL,
	CONSTRAINT "auction_bidder_product_id_bidder_id_pk" PRIMARY KEY("product_id","bidder_id")
);
--> statement-breakpoint
CREATE TABLE "auction_bidding" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"open" boolean DEFAULT true NOT NULL,
	"price" bigint NOT NULL,
	"highest_bidder_id" text,
	"bid_count" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"folded_name" text NOT NULL,
	"category" text NOT NULL,
	"subcategory" text NOT NULL,
	"grade" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auction_outbid" (
	"product_id" uuid NOT NULL,
	"bidder_id" text NOT NULL,
	"number" integer NOT NULL,
	"mailed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "auction_outbid_product_id_bidder_id_pk" PRIMARY KEY("product_id","bidder_id")
);
--> statement-breakpoint
CREATE TABLE "auction_picture" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"product_id" uuid,
	"position" integer DEFAULT 0 NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auction_product" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seller_id" text,
	"product_name" text NOT NULL,
	"folded_name" text GENERATED ALWAYS AS (lower(product_name)) STORED NOT NULL,
	"description" text NOT NULL,
	"starting_bid" bigint NOT NULL,
	"category" text NOT NULL,
	"subcategory" text NOT NULL,
	"grade" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"end_date" timestamp (3) with time zone NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"removed_by" text,
	"removal_reason" text,
	"winner_id" text,
	"winning_bid" bigint,
	CONSTRAINT "auction_product_state" CHECK ("auction_product"."state" in ('open', 'sold', 'unsold', 'removed')),
	CONSTRAINT "auction_product_winning" CHECK ("auction_product"."state" <> 'sold' or ("auction_product"."winning_bid" is not null and "auction_product"."closed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "auction_vocabulary" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "auction_bidding" ADD CONSTRAINT "auction_bidding_product_id_auction_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."auction_product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auction_picture" ADD CONSTRAINT "auction_picture_product_id_auction_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."auction_product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auction_product" ADD CONSTRAINT "auction_product_seller_id_user_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auction_product" ADD CONSTRAINT "auction_product_winner_id_user_id_fk" FOREIGN KEY ("winner_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "auction_bid_idempotency" ON "auction_bid" USING btree ("bidder_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "auction_bid_latest" ON "auction_bid" USING brin ("created_at") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "auction_bidder_by_bidder" ON "auction_bidder" USING btree ("bidder_id","since","product_id");--> statement-breakpoint
CREATE INDEX "auction_bidding_price" ON "auction_bidding" USING btree ("price","product_id","folded_name") WHERE open;--> statement-breakpoint
CREATE INDEX "auction_bidding_facets_price" ON "auction_bidding" USING btree ("category","subcategory","grade","price","product_id","folded_name") WHERE open;--> statement-breakpoint
CREATE INDEX "auction_bidding_words" ON "auction_bidding" USING gin ((string_to_array(folded_name, ' ') || array[' ' || category || ' ' || subcategory, ' ' || grade])) WITH (fastupdate=false) WHERE open;--> statement-breakpoint
CREATE INDEX "auction_picture_of_product" ON "auction_picture" USING btree ("product_id","position");--> statement-breakpoint
CREATE INDEX "auction_picture_unused" ON "auction_picture" USING btree ("created_at") WHERE product_id is null;--> statement-breakpoint
CREATE INDEX "auction_product_by_seller" ON "auction_product" USING btree ("seller_id","created_at","id");--> statement-breakpoint
CREATE INDEX "auction_product_by_winner" ON "auction_product" USING btree ("winner_id");--> statement-breakpoint
CREATE INDEX "auction_product_ending" ON "auction_product" USING btree ("end_date","id","folded_name") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "auction_product_newest" ON "auction_product" USING btree ("created_at","id","end_date","folded_name") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "auction_product_facets_ending" ON "auction_product" USING btree ("category","subcategory","grade","end_date","id","folded_name") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "auction_product_facets_newest" ON "auction_product" USING btree ("category","subcategory","grade","created_at","id","end_date","folded_name") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "auction_product_words" ON "auction_product" USING gin ((string_to_array(folded_name, ' ') || array[' ' || category || ' ' || subcategory, ' ' || grade])) WITH (fastupdate=false) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "auction_vocabulary_parts" ON "auction_vocabulary" USING gin ("word" gin_trgm_ops) WITH (fastupdate=false);