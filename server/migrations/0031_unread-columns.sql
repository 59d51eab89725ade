-- No code reads or writes these columns any more: "image" of "user"; "access_token", "refresh_token", "id_token",
-- "access_token_expires_at", "refresh_token_expires_at" and "scope" of "account". Nodes of the version before still name
-- them, so the next version drops them.
SELECT 1;
