CREATE TABLE "different_institutions" (
	"one_id" uuid NOT NULL,
	"other_id" uuid NOT NULL,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "different_institutions_one_id_other_id_pk" PRIMARY KEY("one_id","other_id"),
	CONSTRAINT "different_institutions_order" CHECK (one_id < other_id)
);
--> statement-breakpoint
ALTER TABLE "programme" ADD COLUMN "joined_to" uuid;--> statement-breakpoint
ALTER TABLE "different_institutions" ADD CONSTRAINT "different_institutions_one_id_institution_id_fk" FOREIGN KEY ("one_id") REFERENCES "public"."institution"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "different_institutions" ADD CONSTRAINT "different_institutions_other_id_institution_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."institution"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "different_institutions_other_id_index" ON "different_institutions" USING btree ("other_id");--> statement-breakpoint
CREATE INDEX "different_institutions_decided_at_index" ON "different_institutions" USING btree ("decided_at");--> statement-breakpoint
CREATE INDEX "application_programme_id_index" ON "application" USING btree ("programme_id") WHERE programme_id is not null;--> statement-breakpoint
CREATE INDEX "programme_joined_to_index" ON "programme" USING btree ("joined_to") WHERE joined_to is not null;--> statement-breakpoint
CREATE INDEX "shortlist_item_programme_id_index" ON "shortlist_item" USING btree ("programme_id") WHERE programme_id is not null;