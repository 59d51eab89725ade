import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startPostgres } from "#server/platform/embedded-postgres.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createLog } from "#server/platform/log.ts";
import { mailQueue } from "#server/platform/mail-queue.ts";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import { memoryFolder } from "./memory-folder.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: { host: string; owner: string; application: string };
  }
}

/** Settings of a throw-away server: nothing on it has to survive a crash. */
const quick = [
  "fsync=off",
  "full_page_writes=off",
  "synchronous_commit=off",
  "max_connections=300",
  "shared_buffers=128MB",
  "max_wal_size=256MB",
];

async function passableFolder(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, "wayfare-test-"));
  await chmod(folder, 0o755);
  return folder;
}

/** Starts one PostgreSQL for the whole run, with a migrated database that each test file copies. */
export default async function setup(project: TestProject) {
  // Files that tests leave in the temporary folder are deleted with it.
  const scratch = await passableFolder(tmpdir());
  await chmod(scratch, 0o1777);
  // Each test file's database is a few hundred files that are created and deleted.
  const cluster = await passableFolder((await memoryFolder()) ?? tmpdir());
  process.env["TMPDIR"] = scratch;
  const { host, user, application, stop } = await startPostgres(cluster, { settings: quick });
  await prepareTemplate(host, user, application.user);
  project.provide("postgres", { host, owner: user, application: application.user });
  return async () => {
    await stop();
    await Promise.all([cluster, scratch].map((folder) => rm(folder, { recursive: true, force: true })));
  };
}

async function prepareTemplate(host: string, user: string, role: string): Promise<void> {
  const admin = new pg.Client({ host, port: 5432, user, database: "postgres" });
  await admin.connect();
  await admin.query("create database template");
  await admin.end();
  const owner = { host, port: 5432, user, database: "template" };
  const application = { ...owner, user: role };
  await prepareDatabase({ owner, application });
  const jobs = await createJobs(application, createLog("silent"));
  await jobs.define(mailQueue);
  await jobs.stop(0);
}
