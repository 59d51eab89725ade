import type { AddressInfo } from "node:net";
import { inArray } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { expect, inject, test } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { user } from "#server/features/account/tables.ts";
import { verificationMail } from "#server/features/sign-in/mails.ts";
import { type DatabaseAddress, openDatabase } from "#server/platform/database.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { queueMails } from "#server/platform/mail-queue.ts";
import { person } from "#tests/support/factories.ts";
import { dataFolder, startServer } from "#tests/support/server-process.ts";
import { freshDatabase, recorder, until, wayfare } from "#tests/support/wayfare.ts";

/**
 * Opens a mail server that accepts every mail, and lists the ids of those that verify an address. It answers only the
 * first `answers` of these.
 */
async function openMailServer(answers: number) {
  const accepted: string[] = [];
  let remaining = answers;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      stream.on("end", () => {
        if (!text.includes("Subject: Please verify your email address")) return done();
        accepted.push(/^Message-ID: <([^@]*)@/im.exec(text)?.[1] ?? "");
        if (remaining-- > 0) done();
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    // Keeps the mail from being given up while the test waits.
    url: `smtp://127.0.0.1:${port}?socketTimeout=3600000`,
    accepted,
    answerAll: () => void (remaining = Number.POSITIVE_INFINITY),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

/** Queues an email to each of five people while no node is running. */
async function queueFive(on: DatabaseAddress): Promise<void> {
  const w = await wayfare({ on });
  const people = await Promise.all(Array.from({ length: 5 }, () => person(w, "student", "active")));
  const ids = people.map(({ id }) => id);
  // Only an unverified address gets the email.
  await w.services.database.db.update(user).set({ emailVerified: false }).where(inArray(user.id, ids));
  await w.stop();
  const database = openDatabase(on, () => {});
  const jobs = await createJobs(on, recorder().log);
  const mails = ids.map((userId) => ({ data: { userId } }));
  await database.transaction((tx) => queueMails(jobs, tx, verificationMail, mails));
  await jobs.stop(0);
  await database.close();
}

test("of the mails that a node sends together, only the unanswered one is sent twice when the node dies", async () => {
  buildPages();
  const database = await freshDatabase();
  const on = database.address;
  const folder = await dataFolder();
  const mailServer = await openMailServer(4);
  const variables = { SESSION_SECRET: "a secret for several nodes, long enough", SMTP_URL: mailServer.url };
  const { host, owner, application } = inject("postgres");
  const urlAs = (role: string) => `postgres://${role}@localhost/${on.database}?host=${host}`;
  await queueFive(on);
  const dying = await startServer({
    ...variables,
    DATABASE_URL: urlAs(application),
    DATABASE_MIGRATION_URL: urlAs(owner),
    DATA_DIR: folder.path,
  });
  const watching = openDatabase(on, () => {});
  const mailsIn = async (condition: string) =>
    (
      await watching.pool.query(
        `select from jobs.job where data ->> 'mail' = '${verificationMail.name}' and ${condition}`,
      )
    ).rowCount;
  await until(() => mailServer.accepted.length === 5);
  await until(async () => (await mailsIn("state = 'completed'")) === 4);
  await dying.kill();
  mailServer.answerAll();
  const second = await wayfare({ variables, on });
  // The queue gives up on a node a minute after it has taken a job; this simulates that minute.
  await watching.pool.query(
    "update jobs.job set state = 'retry', start_after = now() where name = 'mail' and state = 'active'",
  );
  await until(async () => (await mailsIn("state < 'completed'")) === 0);
  const [unanswered] = mailServer.accepted.slice(4);
  expect(new Set(mailServer.accepted).size).toBe(5);
  expect(mailServer.accepted.slice(5)).toEqual([unanswered]);
  await watching.close();
  await second.stop();
  await mailServer.close();
  await folder.remove();
  await database.drop();
});
