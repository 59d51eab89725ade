-- Not logged: its counters are those of a minute, and counting must not wait for a disk.
CREATE UNLOGGED TABLE "brief_limit" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
