ALTER TABLE "notification" DROP CONSTRAINT "notification_pkey";--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_user_id_id_pk" PRIMARY KEY("user_id","id");--> statement-breakpoint
DROP INDEX "notification_user_id_id_index";
