CREATE TABLE "message" (
	"thread_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"author_id" text NOT NULL,
	"side" text NOT NULL,
	"text" text NOT NULL,
	"key" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_back_at" timestamp (3) with time zone,
	"redacted_by" text,
	"reason" text DEFAULT '' NOT NULL,
	CONSTRAINT "message_thread_id_number_pk" PRIMARY KEY("thread_id","number"),
	CONSTRAINT "message_sent_once" UNIQUE("author_id","key")
);
--> statement-breakpoint
CREATE TABLE "message_file" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"student_id" text NOT NULL,
	"author_id" text NOT NULL,
	"side" text NOT NULL,
	"thread_id" uuid,
	"number" integer,
	"position" integer DEFAULT 0 NOT NULL,
	"storage_key" text NOT NULL,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"size" integer NOT NULL,
	"uploaded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"kept_as" text,
	CONSTRAINT "message_file_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "thread" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"student_id" text NOT NULL,
	"application_id" text,
	"last_number" integer DEFAULT 0 NOT NULL,
	"last_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"waiting" text,
	"waiting_since" timestamp (3) with time zone,
	"settled_up_to" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "thread_of_application" UNIQUE NULLS NOT DISTINCT("student_id","application_id"),
	CONSTRAINT "thread_waiting_since" CHECK ((waiting is null) = (waiting_since is null))
);
--> statement-breakpoint
CREATE TABLE "thread_reader" (
	"thread_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"read_up_to" integer DEFAULT 0 NOT NULL,
	"marked_from" integer,
	"mailed_for_number" integer,
	"seen_at" timestamp (3) with time zone,
	CONSTRAINT "thread_reader_thread_id_user_id_pk" PRIMARY KEY("thread_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "message" ADD CONSTRAINT "message_thread_id_thread_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."thread"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_file" ADD CONSTRAINT "message_file_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_file" ADD CONSTRAINT "message_file_thread_id_number_message_thread_id_number_fk" FOREIGN KEY ("thread_id","number") REFERENCES "public"."message"("thread_id","number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread" ADD CONSTRAINT "thread_student_id_user_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread" ADD CONSTRAINT "thread_application_id_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."application"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_reader" ADD CONSTRAINT "thread_reader_thread_id_thread_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."thread"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_reader" ADD CONSTRAINT "thread_reader_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_file_thread_id_number_index" ON "message_file" USING btree ("thread_id","number");--> statement-breakpoint
CREATE INDEX "message_file_student_id_index" ON "message_file" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "message_file_unsent" ON "message_file" USING btree ("uploaded_at") WHERE number is null;--> statement-breakpoint
CREATE INDEX "thread_application_id_index" ON "thread" USING btree ("application_id") WHERE application_id is not null;--> statement-breakpoint
CREATE INDEX "thread_by_time" ON "thread" USING btree ("last_at","id");--> statement-breakpoint
CREATE INDEX "thread_waiting" ON "thread" USING btree ("waiting_since","id") WHERE waiting = 'staff';--> statement-breakpoint
CREATE INDEX "thread_waiting_of_student" ON "thread" USING btree ("student_id","waiting_since") WHERE waiting = 'staff';--> statement-breakpoint
CREATE INDEX "thread_reader_user_id_index" ON "thread_reader" USING btree ("user_id");--> statement-breakpoint
CREATE TRIGGER "message_file_files_removed" AFTER DELETE ON "message_file" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "forget_files"('message');
