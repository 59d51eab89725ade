CREATE TABLE "account" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp (3) with time zone,
	"refresh_token_expires_at" timestamp (3) with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "denied_agent" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password" text NOT NULL,
	"denied_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"denied_by" text NOT NULL,
	CONSTRAINT "denied_agent_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "rate_limit" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"user_id" text NOT NULL,
	CONSTRAINT "session_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "user" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"role" text NOT NULL,
	"status" text NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"agency" text DEFAULT '' NOT NULL,
	"country" text DEFAULT '' NOT NULL,
	"terms_version" text,
	"approved_at" timestamp (3) with time zone,
	"approved_by" text,
	"revoked_at" timestamp (3) with time zone,
	"revoked_by" text,
	CONSTRAINT "user_email_unique" UNIQUE("email"),
	CONSTRAINT "user_email_lower_case" CHECK ("user"."email" = lower("user"."email")),
	CONSTRAINT "user_role_and_status" CHECK (("user"."role" in ('student', 'admin') and "user"."status" in ('active', 'disabled'))
        or ("user"."role" = 'agent' and "user"."status" in ('pending', 'approved', 'revoked', 'disabled')))
);
--> statement-breakpoint
CREATE TABLE "verification" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"action" text NOT NULL,
	"actor_id" text,
	"subject_id" text,
	"address" text,
	"detail" jsonb
);
--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_user_id_provider_id_index" ON "account" USING btree ("user_id","provider_id");--> statement-breakpoint
CREATE INDEX "denied_agent_denied_at_index" ON "denied_agent" USING btree ("denied_at");--> statement-breakpoint
CREATE INDEX "rate_limit_expire_index" ON "rate_limit" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "session_user_id_index" ON "session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "session_expires_at_index" ON "session" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "user_role_status_created_at_id_index" ON "user" USING btree ("role","status","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "verification_identifier_index" ON "verification" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "verification_value_index" ON "verification" USING btree ("value");--> statement-breakpoint
CREATE INDEX "verification_expires_at_index" ON "verification" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "audit_subject_id_at_index" ON "audit" USING btree ("subject_id","at");--> statement-breakpoint
CREATE INDEX "audit_actor_id_at_index" ON "audit" USING btree ("actor_id","at");