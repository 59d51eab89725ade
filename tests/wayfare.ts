import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { Hono } from "hono";
import pg from "pg";
import { pino } from "pino";
import { inject } from "vitest";
import { createApp } from "#server/app.ts";
import { compose } from "#server/compose.ts";
import { type Passwords, scryptPasswords } from "#server/features/account/identity.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { type Environment, readEnvironment } from "#server/platform/environment.ts";
import { errorForLog } from "#server/platform/log.ts";
import type { Services } from "#server/services.ts";

/** A line of the server's log. */
type LogLine = { msg: string; to?: string; subject?: string; link?: string; level: number };
export type Wayfare = {
  app: Hono;
  services: Services;
  environment: Environment;
  address: DatabaseAddress;
  log: readonly LogLine[];
  /** The newest mail to an address with that subject, as soon as it is written. */
  mail(to: string, subject: RegExp): Promise<LogLine>;
  stop(): Promise<void>;
};

/** A database of its own, copied from the migrated template. */
export async function freshDatabase() {
  const { host, user } = inject("postgres");
  const database = `t_${randomUUID().replaceAll("-", "")}`;
  const admin = new pg.Client({ host, port: 5432, user, database: "postgres" });
  await admin.connect();
  await admin.query(`create database ${database} template template strategy file_copy`);
  const drop = async () => {
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  };
  return { address: { host, port: 5432, user, database }, drop };
}

/** A log, and the lines written to it. */
export function recorder() {
  const lines: LogLine[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split("\n").filter(Boolean)) lines.push(JSON.parse(line));
      done();
    },
  });
  const log = pino(
    { level: "info", base: null, serializers: { err: errorForLog, error: errorForLog } },
    stream,
  );
  return { lines, log };
}

/** Waits until something is there; a test that waits in vain ends by its own time limit. */
export async function until<Found>(
  find: () => Found | undefined | false | Promise<Found | undefined | false>,
): Promise<Found> {
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

type Options = { variables?: Record<string, string>; passwords?: Passwords; on?: DatabaseAddress };

/** A whole server as a function, on a fresh database or on one that another node uses already. */
export async function wayfare({
  variables = {},
  passwords = scryptPasswords,
  on,
}: Options = {}): Promise<Wayfare> {
  const fresh = on ? { address: on, drop: async () => {} } : await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "wayfare-data-"));
  const environment = readEnvironment({
    DATA_DIR: dataDir,
    SESSION_SECRET: "a secret for tests, at least 32 long",
    ...variables,
  });
  const { lines, log } = recorder();
  const { services, stop } = await compose(environment, fresh.address, log, passwords);
  return {
    app: createApp(services),
    services,
    environment,
    address: fresh.address,
    log: lines,
    mail: (to, subject) =>
      until(() => lines.findLast((line) => line.to === to && subject.test(line.subject ?? ""))),
    async stop() {
      await stop();
      await fresh.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
