import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { inspect } from "node:util";
import type { Hono } from "hono";
import pg from "pg";
import { inject } from "vitest";
import { createApp } from "#server/app.ts";
import { compose } from "#server/compose.ts";
import type { Passwords } from "#server/features/sign-in/passwords/passwords.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { type Environment, readEnvironment } from "#server/platform/environment.ts";
import { createLogTo } from "#server/platform/log.ts";
import type { Services } from "#server/services.ts";
import { quickPasswords } from "./quick-passwords.ts";
import { runStatement } from "./run-statement.ts";
import { emptyStore } from "./stores.ts";

/** A line of the server's log. */
type LogLine = {
  msg: string;
  to?: string;
  subject?: string;
  link?: string;
  id?: string;
  requestId?: string;
  problem?: string;
  level: number;
  err?: { name?: string; message?: string };
};
export type Wayfare = {
  app: Hono;
  services: Services;
  environment: Environment;
  address: DatabaseAddress;
  /** Runs a statement with the rights of the tables' owner. */
  asOwner(statement: string): Promise<void>;
  log: readonly LogLine[];
  /** Makes waiting mails due now. */
  mailsAreDue(): Promise<void>;
  /** Waits for the newest mail to an address with that subject, which leaves without delay. */
  mail(to: string, subject: RegExp): Promise<LogLine>;
  stop(): Promise<void>;
};

/** Creates a database, copied from the prepared template. `address` is the application's. */
export async function freshDatabase() {
  const { host, owner, application } = inject("postgres");
  const database = `t_${randomUUID().replaceAll("-", "")}`;
  const admin = new pg.Client({ host, port: 5432, user: owner, database: "postgres" });
  await admin.connect();
  await admin.query(`create database ${database} template template strategy file_copy`);
  const drop = async () => {
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  };
  const address = { host, port: 5432, user: application, database };
  return { address, owner: { ...address, user: owner }, drop };
}

/** Creates a log, with the lines written to it. */
export function recorder() {
  const lines: LogLine[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split("\n").filter(Boolean)) lines.push(JSON.parse(line));
      done();
    },
  });
  return { lines, log: createLogTo(stream, "info") };
}

/** Milliseconds to wait: less than the time limit of a test, so that a vain wait says what it waited for. */
const maxWait = 240_000;

/** Waits until `find` returns a value. `saw` describes the state for the error message. */
export async function until<Value>(
  find: () => Value | undefined | false | Promise<Value | undefined | false>,
  saw?: () => unknown,
): Promise<Value> {
  const deadline = performance.now() + maxWait;
  for (;;) {
    const value = await find();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline)
      throw new Error(`Waited in vain for ${String(find)}; last there was ${inspect(saw ? saw() : value)}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

type Options = { variables?: Record<string, string>; passwords?: Passwords; on?: DatabaseAddress };

/** Starts a whole server as a function, on a fresh database or on one that another node uses already. */
export async function wayfare({
  variables = {},
  passwords = quickPasswords,
  on,
}: Options = {}): Promise<Wayfare> {
  const fresh = on ? { address: on, drop: async () => {} } : await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "wayfare-data-"));
  const environment = readEnvironment({
    DATA_DIR: dataDir,
    SESSION_SECRET: "a secret for tests, at least 32 long",
    ...(await emptyStore()),
    // `npm run test:load -- events` runs the tests of several nodes with a real Redis.
    EVENTS_URL: process.env["TEST_EVENTS_URL"],
    ...variables,
  });
  const { lines, log } = recorder();
  const { services, stop } = await compose(environment, fresh.address, log, passwords);
  if (process.env["TEST_EVENTS_URL"]) await until(() => services.bus.carrier() === "redis");
  const mailsAreDue = async () =>
    void (await services.database.pool.query(
      "update jobs.job set start_after = now() where name = 'mail' and start_after > now()",
    ));
  return {
    app: createApp(services),
    services,
    environment,
    address: fresh.address,
    asOwner: (statement) => runStatement({ ...fresh.address, user: inject("postgres").owner }, statement),
    log: lines,
    mailsAreDue,
    async mail(to, subject) {
      await mailsAreDue();
      return await until(
        () => lines.findLast((line) => line.to === to && subject.test(line.subject ?? "")),
        () => ({
          asked: { to, subject },
          mails: lines.flatMap((line) => (line.to === to ? line.subject : [])),
        }),
      );
    },
    async stop() {
      await stop();
      await fresh.drop();
      await rm(dataDir, { recursive: true, force: true });
      // A refusal is only logged if its procedure's contract doesn't declare it.
      const undeclared = lines.find(({ err }) => err?.name === "Refusal");
      if (undeclared) throw new Error(`A procedure does not declare its refusal: ${undeclared.err?.message}`);
    },
  };
}
