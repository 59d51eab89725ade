CREATE TABLE "stored_file" (
	"key" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"record_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"name" text,
	"media_type" text NOT NULL,
	"size" integer,
	"sha256" text,
	"scan" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "stored_file_of_record" ON "stored_file" USING btree ("purpose","record_id");--> statement-breakpoint
CREATE INDEX "stored_file_of_owner" ON "stored_file" USING btree ("owner_id");
--> statement-breakpoint
-- Rows for whoever records a document or a picture without its files: imports, and nodes of the version before.
CREATE FUNCTION "store_document_files"() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.stored_file (key, purpose, record_id, owner_id, name, media_type, size, created_at)
  SELECT storage_key, 'document', id, student_id, original_name, media_type, size, uploaded_at FROM added
  ON CONFLICT (key) DO NOTHING;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "document_files" AFTER INSERT ON "document" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "store_document_files"();
--> statement-breakpoint
-- The files that are made of every picture: three widths in two formats.
CREATE FUNCTION "picture_files"(id uuid) RETURNS TABLE (key text, media_type text) LANGUAGE sql IMMUTABLE AS $$
  SELECT 'auction-images/' || id || '/' || name, type FROM (VALUES
    ('320.webp', 'image/webp'), ('320.jpg', 'image/jpeg'), ('800.webp', 'image/webp'), ('800.jpg', 'image/jpeg'),
    ('1600.webp', 'image/webp'), ('1600.jpg', 'image/jpeg')) AS files (name, type)
$$;
--> statement-breakpoint
CREATE FUNCTION "store_picture_files"() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.stored_file (key, purpose, record_id, owner_id, media_type, created_at)
  SELECT file.key, 'auctionPicture', id, owner_id, file.media_type, created_at
  FROM added CROSS JOIN public.picture_files(id) AS file
  ON CONFLICT (key) DO NOTHING;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "auction_picture_files" AFTER INSERT ON "auction_picture" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "store_picture_files"();
--> statement-breakpoint
-- The argument is the purpose of the rows that went.
CREATE FUNCTION "forget_files"() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM public.stored_file USING removed
  WHERE purpose = TG_ARGV[0] AND record_id = removed.id::text;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "document_files_removed" AFTER DELETE ON "document" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "forget_files"('document');
--> statement-breakpoint
CREATE TRIGGER "auction_picture_files_removed" AFTER DELETE ON "auction_picture" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "forget_files"('auctionPicture');
--> statement-breakpoint
-- Files of before. The triggers' locks keep nodes that still run from adding any until all of this is committed.
INSERT INTO "stored_file" (key, purpose, record_id, owner_id, name, media_type, size, created_at)
SELECT storage_key, 'document', id, student_id, original_name, media_type, size, uploaded_at FROM "document";
--> statement-breakpoint
INSERT INTO "stored_file" (key, purpose, record_id, owner_id, media_type, created_at)
SELECT file.key, 'auctionPicture', id, owner_id, file.media_type, created_at
FROM "auction_picture" CROSS JOIN picture_files(id) AS file;
