#!/bin/sh
# Run once by the postgres image, on an empty volume: the two roles of docs/operations/install.md, and the database.
set -eu
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 --set=owner="$OWNER_PASSWORD" --set=app="$APP_PASSWORD" <<'SQL'
create role wayfare_owner login password :'owner';
create role wayfare_app login password :'app';
create database wayfare owner wayfare_owner;
SQL
