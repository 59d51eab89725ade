CREATE TABLE "auction_log_day" (
	"day" date PRIMARY KEY NOT NULL,
	"size" bigint NOT NULL,
	"root" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auction_log_leaf" (
	"position" bigint PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"product_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"head" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auction_log_node" (
	"level" integer NOT NULL,
	"position" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "auction_log_node_level_position_pk" PRIMARY KEY("level","position")
);
--> statement-breakpoint
CREATE INDEX "auction_log_leaf_of_product" ON "auction_log_leaf" USING btree ("product_id","number");--> statement-breakpoint
-- The log's rows are only read and added (docs/auctions.md, "Open books").
CREATE FUNCTION "auction_log_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the log of auctions is append-only';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "auction_log_leaf_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "auction_log_leaf"
  FOR EACH STATEMENT EXECUTE FUNCTION "auction_log_is_append_only"();
--> statement-breakpoint
CREATE TRIGGER "auction_log_node_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "auction_log_node"
  FOR EACH STATEMENT EXECUTE FUNCTION "auction_log_is_append_only"();
--> statement-breakpoint
CREATE TRIGGER "auction_log_day_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "auction_log_day"
  FOR EACH STATEMENT EXECUTE FUNCTION "auction_log_is_append_only"();
