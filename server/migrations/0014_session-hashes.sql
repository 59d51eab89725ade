-- Only a hash of a session's token is kept from now on, as server/features/account/sessions.ts makes it.
update "session" set "token" = translate(encode(sha256(convert_to("token", 'UTF8')), 'base64'), '+/=', '-_');
