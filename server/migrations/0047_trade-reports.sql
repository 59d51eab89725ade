CREATE TABLE "auction_report" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"product_id" uuid NOT NULL,
	"question_id" uuid,
	"account_id" text,
	"reporter_id" text NOT NULL,
	"reason" text NOT NULL,
	"text" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"outcome" text,
	"answer" text,
	"answered_by" text,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "auction_report_answer" CHECK (("auction_report"."answered_at" is null) = ("auction_report"."answer" is null) and ("auction_report"."answer" is null) = ("auction_report"."outcome" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "auction_report_once" ON "auction_report" USING btree ("reporter_id","subject",coalesce("question_id", "product_id")) WHERE answered_at is null;--> statement-breakpoint
CREATE INDEX "auction_report_open" ON "auction_report" USING btree ("at","id") WHERE answered_at is null;--> statement-breakpoint
CREATE INDEX "auction_report_answered" ON "auction_report" USING btree ("answered_at","id") WHERE answered_at is not null;--> statement-breakpoint
CREATE INDEX "auction_report_by" ON "auction_report" USING btree ("reporter_id");--> statement-breakpoint
CREATE INDEX "auction_report_about" ON "auction_report" USING btree ("account_id");