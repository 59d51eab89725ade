CREATE TABLE "bid_withdrawal" (
	"product_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"bidder_id" text NOT NULL,
	"form" text NOT NULL,
	"intended_amount" bigint,
	"reason" text DEFAULT '' NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL,
	"moved_end" boolean DEFAULT false NOT NULL,
	CONSTRAINT "bid_withdrawal_product_id_number_pk" PRIMARY KEY("product_id","number")
);
--> statement-breakpoint
CREATE TABLE "no_second_chances" (
	"account_id" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sale" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"product_id" uuid NOT NULL,
	"seller_id" text,
	"buyer_id" text,
	"amount" bigint NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'awaiting' NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"seller_said_at" timestamp (3) with time zone,
	"buyer_said_at" timestamp (3) with time zone,
	"reported_by" text,
	"claim" text,
	"reported_at" timestamp (3) with time zone,
	"answer" text,
	"seller_used" text[] DEFAULT '{}' NOT NULL,
	"buyer_used" text[] DEFAULT '{}' NOT NULL,
	"due_at" timestamp (3) with time zone,
	"fault" text,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "sale_state" CHECK ("sale"."state" in ('awaiting', 'handedOver', 'fellThrough', 'disputed'))
);
--> statement-breakpoint
CREATE TABLE "sale_event" (
	"sale_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"actor_id" text,
	"kind" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sale_event_sale_id_number_pk" PRIMARY KEY("sale_id","number")
);
--> statement-breakpoint
CREATE TABLE "second_chance" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"product_id" uuid NOT NULL,
	"bidder_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "strike" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account_id" text NOT NULL,
	"sale_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"lifted_by" text,
	"lifted_at" timestamp (3) with time zone,
	"reason" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading_bar" (
	"account_id" text PRIMARY KEY NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "void_request" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"product_id" uuid NOT NULL,
	"bidder_id" text NOT NULL,
	"reason" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "auction_bidder" ADD COLUMN "withdrawn" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "no_second_chances" ADD CONSTRAINT "no_second_chances_account_id_user_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale" ADD CONSTRAINT "sale_product_id_auction_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."auction_product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale" ADD CONSTRAINT "sale_seller_id_user_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale" ADD CONSTRAINT "sale_buyer_id_user_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_event" ADD CONSTRAINT "sale_event_sale_id_sale_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sale"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_chance" ADD CONSTRAINT "second_chance_product_id_auction_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."auction_product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_chance" ADD CONSTRAINT "second_chance_bidder_id_user_id_fk" FOREIGN KEY ("bidder_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strike" ADD CONSTRAINT "strike_account_id_user_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "strike" ADD CONSTRAINT "strike_sale_id_sale_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sale"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading_bar" ADD CONSTRAINT "trading_bar_account_id_user_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "void_request" ADD CONSTRAINT "void_request_product_id_auction_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."auction_product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "void_request" ADD CONSTRAINT "void_request_bidder_id_user_id_fk" FOREIGN KEY ("bidder_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bid_withdrawal_by_bidder" ON "bid_withdrawal" USING btree ("bidder_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "sale_live" ON "sale" USING btree ("product_id") WHERE state <> 'fellThrough';--> statement-breakpoint
CREATE INDEX "sale_of_product" ON "sale" USING btree ("product_id","made_at");--> statement-breakpoint
CREATE INDEX "sale_by_seller" ON "sale" USING btree ("seller_id","made_at");--> statement-breakpoint
CREATE INDEX "sale_by_buyer" ON "sale" USING btree ("buyer_id","made_at");--> statement-breakpoint
CREATE INDEX "sale_due" ON "sale" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "sale_disputed" ON "sale" USING btree ("reported_at","id") WHERE state = 'disputed';--> statement-breakpoint
CREATE UNIQUE INDEX "second_chance_open" ON "second_chance" USING btree ("product_id") WHERE state = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "second_chance_once" ON "second_chance" USING btree ("product_id","bidder_id");--> statement-breakpoint
CREATE INDEX "second_chance_by_bidder" ON "second_chance" USING btree ("bidder_id","at");--> statement-breakpoint
CREATE INDEX "second_chance_due" ON "second_chance" USING btree ("until") WHERE state = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "strike_of_sale" ON "strike" USING btree ("account_id","sale_id");--> statement-breakpoint
CREATE UNIQUE INDEX "void_request_open" ON "void_request" USING btree ("product_id","bidder_id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "void_request_waiting" ON "void_request" USING btree ("at","id") WHERE closed_at is null;--> statement-breakpoint
INSERT INTO "sale" ("product_id", "seller_id", "buyer_id", "amount", "kind", "made_at")
SELECT id, seller_id, winner_id, winning_bid, 'auction', closed_at FROM "auction_product" WHERE state = 'sold';
--> statement-breakpoint
INSERT INTO "sale_event" ("sale_id", "number", "kind", "at") SELECT id, 1, 'made', made_at FROM "sale";
--> statement-breakpoint
-- Events of sales are only read and added. One function alone can blank the words about somebody whose deletion is due.
CREATE FUNCTION "sale_event_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('wayfare.erasing', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the events of a sale are append-only';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "sale_event_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "sale_event"
  FOR EACH STATEMENT EXECUTE FUNCTION "sale_event_is_append_only"();
--> statement-breakpoint
CREATE FUNCTION "erase_sale_reasons"(account_id text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM FROM public."user" WHERE id = account_id AND deletion_due_at <= clock_timestamp() FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'the deletion of this account is not due'; END IF;
  PERFORM set_config('wayfare.erasing', 'on', true);
  UPDATE public.sale_event SET reason = '' FROM public.sale
  WHERE sale.id = sale_event.sale_id AND sale_event.kind = 'decided'
    AND account_id IN (sale.seller_id, sale.buyer_id);
  PERFORM set_config('wayfare.erasing', 'off', true);
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "erase_sale_reasons"(text) FROM PUBLIC;
