CREATE TABLE "duplicate_decision" (
	"id" uuid NOT NULL,
	"account_id" text NOT NULL,
	"verdict" text NOT NULL,
	"decided_by" text NOT NULL,
	"decided_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "duplicate_decision_id_account_id_pk" PRIMARY KEY("id","account_id")
);
--> statement-breakpoint
ALTER TABLE "duplicate_decision" ADD CONSTRAINT "duplicate_decision_account_id_user_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "duplicate_decision_account_id_index" ON "duplicate_decision" USING btree ("account_id");