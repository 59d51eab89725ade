import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "#server/app.ts";
import { compose } from "#server/compose.ts";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import { serveBuild } from "#server/pages.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { startPostgres } from "#server/platform/embedded-postgres.ts";
import { readEnvironment } from "#server/platform/environment.ts";
import { createLog } from "#server/platform/log.ts";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import type { Services } from "#server/services.ts";
import { Caller } from "#tests/support/caller.ts";

export type Node = { services: Services; caller(address?: string): Caller };
export type Fixture = Node & {
  /** Address for work that only the owner of the tables may do. */
  owner: DatabaseAddress;
  /** Another node on the same database. */
  second: Node;
  stop(): Promise<void>;
};
export const password = "correct horse battery";

async function openNode(folder: string, address: DatabaseAddress): Promise<Node & { stop(): Promise<void> }> {
  const environment = readEnvironment({
    DATA_DIR: folder,
    SESSION_SECRET: "the same secret on every node here",
  });
  const { services, stop } = await compose(environment, address, createLog("silent"));
  const app = createApp(services);
  await serveBuild(app, "build", services);
  return { services, stop, caller: (from) => new Caller(app, from) };
}

/** Opens two whole nodes as functions, on a new PostgreSQL with default settings, fsync included. */
export async function openFixture(): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-bench-"));
  await chmod(folder, 0o755);
  const owner = await startPostgres(folder);
  const { application } = owner;
  await prepareDatabase({ owner, application });
  const first = await openNode(folder, application);
  const second = await openNode(folder, application);
  return {
    ...first,
    second,
    owner,
    async stop() {
      await second.stop();
      await first.stop();
      await owner.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates accounts with the same password; returns their email addresses. */
export async function createStudents({ services }: Node, number: number): Promise<string[]> {
  const hash = await services.passwords.hash(password);
  const emails = Array.from({ length: number }, () => `${randomUUID()}@example.org`);
  await services.database.transaction(async (tx) => {
    for (const email of emails) await createAccount(tx, { role: "student", status: "active", email }, hash);
  });
  return emails;
}
