CREATE TABLE "auction_watch" (
	"user_id" text NOT NULL,
	"product_id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"told_for" timestamp (3) with time zone,
	CONSTRAINT "auction_watch_user_id_product_id_pk" PRIMARY KEY("user_id","product_id")
);
--> statement-breakpoint
CREATE TABLE "saved_search" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"filters" jsonb NOT NULL,
	"query" "tsquery" NOT NULL,
	"mail" text NOT NULL,
	"seen_until" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"told_at" timestamp (3) with time zone,
	"mailed_at" timestamp (3) with time zone,
	"made_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_search_anchor" (
	"search_id" uuid NOT NULL,
	"word" text NOT NULL,
	"other_word" text NOT NULL,
	CONSTRAINT "saved_search_anchor_word_other_word_search_id_pk" PRIMARY KEY("word","other_word","search_id")
);
--> statement-breakpoint
CREATE TABLE "saved_search_due" (
	"search_id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_search_hit" (
	"search_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "saved_search_hit_search_id_product_id_pk" PRIMARY KEY("search_id","product_id")
);
--> statement-breakpoint
ALTER TABLE "auction_watch" ADD CONSTRAINT "auction_watch_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auction_watch" ADD CONSTRAINT "auction_watch_product_id_auction_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."auction_product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_search" ADD CONSTRAINT "saved_search_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_search_anchor" ADD CONSTRAINT "saved_search_anchor_search_id_saved_search_id_fk" FOREIGN KEY ("search_id") REFERENCES "public"."saved_search"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_search_due" ADD CONSTRAINT "saved_search_due_search_id_saved_search_id_fk" FOREIGN KEY ("search_id") REFERENCES "public"."saved_search"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_search_hit" ADD CONSTRAINT "saved_search_hit_search_id_saved_search_id_fk" FOREIGN KEY ("search_id") REFERENCES "public"."saved_search"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_search_hit" ADD CONSTRAINT "saved_search_hit_product_id_auction_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."auction_product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "auction_watch_by_product" ON "auction_watch" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "saved_search_by_user" ON "saved_search" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "saved_search_anchor_of_search" ON "saved_search_anchor" USING btree ("search_id");--> statement-breakpoint
CREATE INDEX "saved_search_due_at" ON "saved_search_due" USING btree ("at");--> statement-breakpoint
CREATE INDEX "saved_search_hit_by_product" ON "saved_search_hit" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "saved_search_hit_by_age" ON "saved_search_hit" USING btree ("at");