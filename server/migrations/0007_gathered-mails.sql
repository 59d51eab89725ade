CREATE TABLE "open_digest" (
	"user_id" text NOT NULL,
	"digest" text NOT NULL,
	"mail_id" uuid NOT NULL,
	CONSTRAINT "open_digest_user_id_digest_pk" PRIMARY KEY("user_id","digest"),
	CONSTRAINT "open_digest_mail_id_unique" UNIQUE("mail_id")
);
--> statement-breakpoint
DROP INDEX "notification_unread";--> statement-breakpoint
ALTER TABLE "notification" ADD COLUMN "topic" text;--> statement-breakpoint
ALTER TABLE "notification" ADD COLUMN "mail_id" uuid;--> statement-breakpoint
ALTER TABLE "open_digest" ADD CONSTRAINT "open_digest_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_mail_id_index" ON "notification" USING btree ("mail_id") WHERE mail_id is not null;--> statement-breakpoint
CREATE INDEX "notification_unread" ON "notification" USING btree ("user_id","topic") WHERE read_at is null;