CREATE TABLE "confirmation" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"list" jsonb NOT NULL,
	"hash" text NOT NULL,
	"asked_by" text,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "change_request" (
	"id" text PRIMARY KEY NOT NULL,
	"student_id" text NOT NULL,
	"agent_id" text,
	"reason" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"outcome" text,
	"answer" text DEFAULT '' NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by" text
);
--> statement-breakpoint
CREATE TABLE "invitation" (
	"id" text PRIMARY KEY NOT NULL,
	"inviter_id" text NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"message" text NOT NULL,
	"state" text NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"invited_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"student_id" text
);
--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "sharing_stopped_with" text;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "sharing_stopped_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "confirmation" ADD CONSTRAINT "confirmation_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_request" ADD CONSTRAINT "change_request_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change_request" ADD CONSTRAINT "change_request_agent_id_user_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_inviter_id_user_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "confirmation_application_id_asked_at_index" ON "confirmation" USING btree ("application_id","asked_at");--> statement-breakpoint
CREATE INDEX "confirmation_asked_by_index" ON "confirmation" USING btree ("asked_by");--> statement-breakpoint
CREATE UNIQUE INDEX "change_request_open" ON "change_request" USING btree ("student_id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "change_request_agent_id_index" ON "change_request" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "change_request_due" ON "change_request" USING btree ("due_at","id") WHERE closed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "invitation_open" ON "invitation" USING btree ("inviter_id","email") WHERE state = 'invited';--> statement-breakpoint
CREATE INDEX "invitation_inviter_id_invited_at_id_index" ON "invitation" USING btree ("inviter_id","invited_at","id");--> statement-breakpoint
CREATE INDEX "invitation_invited_at_id_index" ON "invitation" USING btree ("invited_at","id");--> statement-breakpoint
CREATE INDEX "invitation_email_index" ON "invitation" USING btree ("email");--> statement-breakpoint
CREATE INDEX "invitation_student_id_index" ON "invitation" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "invitation_expires_at_index" ON "invitation" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "user" ADD CONSTRAINT "user_sharing_stopped_with_user_id_fk" FOREIGN KEY ("sharing_stopped_with") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "user_sharing_stopped" ON "user" USING btree ("sharing_stopped_with") WHERE sharing_stopped_with is not null;