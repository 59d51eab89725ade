import { randomInt } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { compose } from "#server/compose.ts";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import { prepareRun } from "#server/features/bulk-runs/commands.ts";
import { readEnvironment } from "#server/platform/environment.ts";
import { createLog } from "#server/platform/log.ts";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import type { Services } from "#server/services.ts";
import { sessionSecret } from "#tests/load/test-data.ts";
import { freshEmail } from "#tests/support/factories.ts";
import { dataFolder, type Server, startServer } from "#tests/support/server-process.ts";
import { Cluster } from "./cluster.ts";
import type { Report } from "./fixture.ts";
import { openMailServer } from "./mail-server.ts";

/** Milliseconds within which work continues after a kill. The queue gives up on a node's job after a minute. */
const maxWait = 4 * 60_000;

/** PostgreSQL, a mail server, and one node at a time. */
class Nodes {
  readonly cluster: Cluster;
  readonly mail: Awaited<ReturnType<typeof openMailServer>>;
  readonly #folder: Awaited<ReturnType<typeof dataFolder>>;
  #server: Server | null = null;
  kills = 0;

  private constructor(cluster: Cluster, mail: Nodes["mail"], folder: Awaited<ReturnType<typeof dataFolder>>) {
    this.cluster = cluster;
    this.mail = mail;
    this.#folder = folder;
  }

  static async open(): Promise<Nodes> {
    const folder = await dataFolder();
    await mkdir(folder.path);
    const cluster = await Cluster.create(join(folder.path, "postgres"));
    await prepareDatabase(cluster.addresses());
    return new Nodes(cluster, await openMailServer(), folder);
  }

  /** Runs work in a node that ends before any server starts. */
  async prepare<Result>(work: (services: Services) => Promise<Result>): Promise<Result> {
    const environment = readEnvironment({
      DATA_DIR: join(this.#folder.path, "preparing"),
      SESSION_SECRET: sessionSecret,
    });
    const { services, stop } = await compose(
      environment,
      this.cluster.addresses().application,
      createLog("silent"),
    );
    try {
      return await work(services);
    } finally {
      await stop();
    }
  }

  async start(): Promise<Server> {
    const { owner, application } = this.cluster.access();
    this.#server = await startServer({
      DATABASE_URL: application,
      DATABASE_MIGRATION_URL: owner,
      DATA_DIR: join(this.#folder.path, "node"),
      SESSION_SECRET: sessionSecret,
      SMTP_URL: this.mail.url,
      LOG_LEVEL: "error",
    });
    return this.#server;
  }

  /** Kills the node with SIGKILL once this state is reached. */
  async killOnce(isReached: () => Promise<boolean>): Promise<void> {
    await this.until(isReached, 2);
    await this.#server?.kill();
    this.kills++;
  }

  /** Waits until a condition holds, polling at this interval in milliseconds. */
  async until(isReached: () => Promise<boolean>, pause = 100): Promise<void> {
    const deadline = performance.now() + maxWait;
    while (!(await isReached())) {
      if (performance.now() > deadline) throw new Error(`the work did not go on: ${isReached.toString()}`);
      await setTimeout(pause);
    }
  }

  /** Returns the number that a query selects. */
  async number(query: string): Promise<number> {
    const [row] = await this.cluster.ask<{ number: string }>(`select (${query}) as number`);
    return Number(row?.number);
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    await this.mail.stop();
    await this.cluster.remove();
    await this.#folder.remove();
  }
}

async function withNodes(work: (nodes: Nodes) => Promise<void>): Promise<void> {
  const nodes = await Nodes.open();
  try {
    await work(nodes);
  } finally {
    await nodes.stop();
  }
}

/** Returns a violation for each figure that differs from the expected one. */
const unlessEqual = (
  figures: Readonly<Record<string, readonly [figure: number, expected: number]>>,
): string[] =>
  Object.entries(figures)
    .filter(([, [figure, expected]]) => figure !== expected)
    .map(([what, [figure, expected]]) => `${what}: ${figure} in place of ${expected}`);

/** Maximum number of mails that a node hands over concurrently: two workers take five each. */
const maxInTransit = 10;
/** Number of students, and of tasks that each of them has due in two days. */
const [reminded, tasksEach] = [150, 10];

const tasks = `
  insert into "user" (id, name, email, role, status, email_verified)
  select 's' || n, 'Student ' || n, 'student-' || n || '@example.org', 'student', 'active', true
  from generate_series(1, ${reminded}) n;
  insert into task (id, student_id, title, text, owner, created_by, due_date, due_zone, due_whose, due_hard, due_at)
  select gen_random_uuid(), 's' || 1 + n % ${reminded}, 'Task ' || n, '', 'student', 'nobody', current_date + 2, 'UTC',
    'applicant', true, current_date + 3
  from generate_series(1, ${reminded * tasksEach}) n;
  -- They were made so long ago that one reminder is due, the one of three days before.
  update reminder_plan set since = current_date - 2`;

/**
 * Kills a node in the middle of planning reminders, another one between planning and mailing, and a third one while it
 * mails. Each thing must be notified once, and each student get one mail.
 */
export const remindersKilled = (report: Report): Promise<void> =>
  withNodes(async (nodes) => {
    const { mail } = nodes;
    const all = reminded * tasksEach;
    const reminderCount = () => nodes.number("select count(*) from reminder");
    /** Lists the students' mails; admins are sent some too at each start. */
    const received = () => [...mail.mails.values()].filter(({ to }) => to.startsWith("student-"));
    const mails = () => received().length;
    await nodes.cluster.ask(tasks);
    await nodes.start();
    await nodes.killOnce(async () => (await reminderCount()) > 0);
    const atFirst = await reminderCount();
    await nodes.start();
    await nodes.killOnce(async () => (await reminderCount()) >= all);
    const early = mails();
    // A mail collects the notifications of some minutes; this simulates that they have passed.
    await nodes.cluster.ask(
      "update jobs.job set start_after = now() where name = 'mail' and state = 'created'",
    );
    await nodes.start();
    await nodes.killOnce(async () => mails() >= reminded / 3);
    const atLast = mails();
    await nodes.start();
    const unsent = `select count(*) from jobs.job where name = 'mail' and state < 'completed'`;
    await nodes.until(async () => mails() >= reminded && (await nodes.number(unsent)) === 0);
    // Another minute would reveal duplicate notifications.
    await setTimeout(65_000);
    const again = received().filter(({ times }) => times > 1).length;
    const people = new Set(received().map(({ to }) => to)).size;
    const bellEntries = "from notification where kind in ('fallsDue', 'fallsDueSoon')";
    report({
      name: "nodes are killed while they plan and mail reminders",
      violations: [
        ...unlessEqual({
          reminders: [await reminderCount(), all],
          "things in the bell": [await nodes.number(`select count(*) ${bellEntries}`), all],
          "different things in the bell": [
            await nodes.number(`select count(distinct event_key) ${bellEntries}`),
            all,
          ],
          "mails before they were due": [early, 0],
          mails: [mails(), reminded],
          "people with a mail": [people, reminded],
        }),
        // Only mails in transit at the kill may be sent again, under the same Message-ID.
        ...(again > maxInTransit ? [`${again} mails came again`] : []),
      ],
      figures: `${all} reminders to ${reminded} students; killed after ${atFirst} reminders, after all of them and before a mail, and after ${atLast} mails; ${mails()} mails, ${again} of them taken again with the same Message-ID`,
    });
  });

const rows = 200;
const students = `
  insert into "user" (id, name, email, role, status, assigned_agent_id)
  select 's' || n, 'Student ' || n, 'student-' || n || '@example.org', 'student', 'active', $1
  from generate_series(1, ${rows}) n`;
const applications = `
  insert into application (id, student_id, program, highest_study_level, country_codes, start_date, additional_info, state)
  select 'a' || n, 's' || n, 'Law', 'Postgraduate', '{GB}', 'Spring Intake (January)', '', 'submitted'
  from generate_series(1, ${rows}) n`;

/** Prepares a move of 200 applications, and returns the run with the cookie of its agent. */
const preparedRun = async (services: Services) => {
  const { database, sessions } = services;
  const agent = { role: "agent", status: "approved", email: freshEmail(), emailVerified: true } as const;
  const userId = await database.transaction((tx) => createAccount(tx, agent, "no password"));
  const cookie = await database.transaction((tx) => sessions.open(tx, userId));
  await database.pool.query(students, [userId]);
  await database.pool.query(applications);
  const studentIds = Array.from({ length: rows }, (_, at) => `s${at + 1}`);
  const move = { act: "move", from: "submitted", to: "inReview", note: "", studentIds } as const;
  const run = await prepareRun(services, { userId, address: "203.0.113.7" }, move);
  return { run, cookie: cookie.split(";", 1)[0] ?? "" };
};

/** Kills nodes while they carry out a run of 200 rows. Each row must end with one outcome, and be done once. */
export const bulkRunKilled = (report: Report): Promise<void> =>
  withNodes(async (nodes) => {
    const { run, cookie } = await nodes.prepare(preparedRun);
    const outcomes = () => nodes.number("select count(*) from bulk_item where outcome is not null");
    const { url } = await nodes.start();
    const answer = await fetch(`${url}/rpc/bulkRuns/start`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": "orpc", cookie },
      body: JSON.stringify({ json: { id: run } }),
    });
    if (answer.status !== 200) throw new Error(`the run was refused with ${answer.status}`);
    const killedAt: number[] = [];
    for (const part of [0, 1, 2]) {
      const point = part * 60 + randomInt(5, 55);
      await nodes.killOnce(async () => (await outcomes()) >= point);
      killedAt.push(await outcomes());
      await nodes.start();
    }
    await nodes.until(
      async () => (await nodes.number("select count(*) from bulk_run where finished_at is not null")) === 1,
    );
    const moves = "from application_step where \"from\" = 'submitted' and \"to\" = 'inReview'";
    report({
      name: `nodes are killed while they carry out a run of ${rows} rows`,
      violations: unlessEqual({
        outcomes: [await nodes.number("select count(*) from bulk_item where outcome = 'done'"), rows],
        steps: [await nodes.number(`select count(*) ${moves}`), rows],
        "applications that moved": [
          await nodes.number(`select count(distinct application_id) ${moves}`),
          rows,
        ],
        "versions after one step": [
          await nodes.number("select count(*) from application where version = 2"),
          rows,
        ],
        "audit entries": [
          await nodes.number("select count(*) from audit where action = 'application-moved'"),
          rows,
        ],
        notifications: [
          await nodes.number("select count(*) from notification where kind = 'applicationMoved'"),
          rows,
        ],
      }),
      figures: `killed ${nodes.kills} times, after ${killedAt.join(", ")} rows; ${rows} rows done once`,
    });
  });
