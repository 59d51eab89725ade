CREATE TABLE "auction_addition" (
	"product_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"text" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auction_addition_product_id_number_pk" PRIMARY KEY("product_id","number")
);
--> statement-breakpoint
CREATE TABLE "auction_draft" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"form" jsonb NOT NULL,
	"pictures" uuid[] DEFAULT '{}' NOT NULL,
	"copied_from" uuid,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auction_listed_row" (
	"owner_id" text NOT NULL,
	"key" text NOT NULL,
	"product_id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auction_listed_row_owner_id_key_pk" PRIMARY KEY("owner_id","key")
);
--> statement-breakpoint
CREATE TABLE "auction_question" (
	"id" uuid PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"asker_id" text NOT NULL,
	"text" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"answer" text,
	"answered_at" timestamp (3) with time zone,
	"hidden_by" text,
	"hidden_at" timestamp (3) with time zone,
	"hidden_reason" text
);
--> statement-breakpoint
ALTER TABLE "auction_bidding" ADD COLUMN "terms" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "auction_product" ADD COLUMN "collection_place" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "auction_product" ADD COLUMN "courier_cents" bigint;--> statement-breakpoint
ALTER TABLE "auction_product" ADD COLUMN "copied_from" uuid;--> statement-breakpoint
ALTER TABLE "auction_addition" ADD CONSTRAINT "auction_addition_product_id_auction_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."auction_product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auction_draft" ADD CONSTRAINT "auction_draft_owner_id_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auction_listed_row" ADD CONSTRAINT "auction_listed_row_owner_id_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auction_question" ADD CONSTRAINT "auction_question_product_id_auction_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."auction_product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "auction_draft_of" ON "auction_draft" USING btree ("owner_id","changed_at");--> statement-breakpoint
CREATE INDEX "auction_draft_old" ON "auction_draft" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "auction_draft_pictures" ON "auction_draft" USING gin ("pictures");--> statement-breakpoint
CREATE INDEX "auction_listed_row_old" ON "auction_listed_row" USING btree ("at");--> statement-breakpoint
CREATE INDEX "auction_question_of_product" ON "auction_question" USING btree ("product_id","at");--> statement-breakpoint
CREATE INDEX "auction_question_by" ON "auction_question" USING btree ("asker_id","at");--> statement-breakpoint
CREATE INDEX "auction_product_collected" ON "auction_product" USING btree ("id") WHERE state = 'open' and collection_place <> '';--> statement-breakpoint
CREATE INDEX "auction_product_couriered" ON "auction_product" USING btree ("id") WHERE state = 'open' and courier_cents is not null;