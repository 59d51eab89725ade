CREATE INDEX "audit_at_id_index" ON "audit" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_action_at_id_index" ON "audit" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "document_waiting" ON "document" USING btree ("uploaded_at") WHERE state = 'uploaded' and replaced_at is null;