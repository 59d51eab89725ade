CREATE TABLE "programme_word" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "programme" ADD COLUMN "starts" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "programme_word_similar" ON "programme_word" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "programme_judged" ON "programme" USING btree ("judged_for","entry_requirements_id") WHERE removed_at is null;