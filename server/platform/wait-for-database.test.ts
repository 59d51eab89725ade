import { mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, inject, test } from "vitest";
import { until } from "#tests/wayfare.ts";
import { waitForDatabase } from "./wait-for-database.ts";

const said: string[] = [];
const say = (line: string) => said.push(line);
const stop = new AbortController().signal;
beforeEach(() => said.splice(0));

test("a database that never comes is named, and what to check", async () => {
  const url = "postgres://wayfare:well-hidden@127.0.0.1:1/wayfare";
  const waiting = waitForDatabase("DATABASE_URL", url, { say, stop, waitFor: 600 });
  await expect(waiting).rejects.toThrow(
    "Gave up on PostgreSQL at 127.0.0.1, port 1 (DATABASE_URL): connect ECONNREFUSED 127.0.0.1:1. " +
      "Check that it is running, that host and port are right, and that no firewall is in between.",
  );
  expect(said).toEqual([
    expect.stringMatching(/^Waiting up to a minute for PostgreSQL at 127.0.0.1, port 1 /),
  ]);
});

test("one that is late is waited for", async () => {
  const { host, application } = inject("postgres");
  const socket = join(await mkdtemp(join(tmpdir(), "wayfare-late-")), "socket");
  const url = `postgres://${application}@localhost/postgres?host=${socket}`;
  const waiting = waitForDatabase("DATABASE_URL", url, { say, stop });
  await until(() => said.length > 0);
  await symlink(host, socket);
  expect(await waiting).toBe(true);
  expect(said).toHaveLength(1);
});

test("one that refuses is not waited for", async () => {
  const { host, application } = inject("postgres");
  const url = `postgres://${application}:well-hidden@localhost/nowhere?host=${host}`;
  const waiting = waitForDatabase("DATABASE_MIGRATION_URL", url, { say, stop });
  await expect(waiting).rejects.toThrow(
    /\(DATABASE_MIGRATION_URL\) refuses the connection: database "nowhere" does not exist. Check/,
  );
  expect(said).toEqual([]);
});

test("a signal to stop ends the waiting", async () => {
  const stopping = new AbortController();
  const url = "postgres://wayfare@127.0.0.1:1/wayfare";
  const waiting = waitForDatabase("DATABASE_URL", url, { say, stop: stopping.signal });
  await until(() => said.length > 0);
  stopping.abort();
  expect(await waiting).toBe(false);
});
