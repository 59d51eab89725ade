CREATE TABLE "secret_fingerprint" (
	"fingerprint" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
