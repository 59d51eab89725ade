import { mkdtemp, readdir, readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, inArray } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { contactMail } from "#server/features/contact/mails.ts";
import { verificationMail } from "#server/features/sign-in/mails.ts";
import { Caller } from "#tests/support/caller.ts";
import { person, signUpForm } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { createLog } from "./log.ts";
import { compose, createMailer } from "./mail.ts";
import { queueMail, queueMails } from "./mail-queue.ts";

/** A real mail server on loopback. It refuses the next `refuse` messages, and holds all while `waiting` is a list. */
type ReceivedMail = { to: string[]; text: string };
const received: ReceivedMail[] = [];
const refused: ReceivedMail[] = [];
let refuse = 0;
let waiting: (() => void)[] | null = null;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, session, done) {
    let text = "";
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
    function answer() {
      const isRefused = refuse-- > 0;
      const mails = isRefused ? refused : received;
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
      done(isRefused ? new Error("try again later") : null);
    }
    stream.on("end", () => (waiting ? void waiting.push(answer) : answer()));
  },
});

let w: Wayfare;
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  w = await wayfare({ variables: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
});
afterAll(async () => {
  await w.stop();
  await new Promise<void>((resolve) => server.close(resolve));
});

const messageId = (text: string) => /^Message-ID: (.*)$/im.exec(text)?.[1];

describe("with SMTP_URL", () => {
  test("a sign-up's mail reaches a real server; the link is not in the log", async () => {
    const form = signUpForm();
    await new Caller(w.app).call("account.signUp", form);
    const mail = await until(() => received.find(({ to }) => to.includes(form.email)));
    expect(mail.text).toContain("Subject: Please verify your email address");
    expect(mail.text).toMatch(/^From: Wayfare <no-reply@wayfare.example>/m);
    expect(w.log.some(({ link }) => link !== undefined)).toBe(false);
  });

  test("a refused mail is sent again", async () => {
    refuse = 1;
    const form = signUpForm();
    await new Caller(w.app).call("account.signUp", form);
    await until(() => received.find(({ to }) => to.includes(form.email)));
    expect(refused.filter(({ to }) => to.includes(form.email))).toHaveLength(1);
    expect(received.filter(({ to }) => to.includes(form.email))).toHaveLength(1);
  });

  test("sends ten mails concurrently, and a refused one again with the same Message-ID", async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => person(w, "student", "active")));
    refused.splice(0);
    waiting = [];
    const { database, jobs } = w.services;
    const ids = people.map(({ id }) => id);
    // Only an unverified address gets the email.
    await database.db.update(user).set({ emailVerified: false }).where(inArray(user.id, ids));
    const mails = people.map(({ id }) => ({ data: { userId: id } }));
    await database.transaction((tx) => queueMails(jobs, tx, verificationMail, mails));
    const answers = await until(() => waiting?.length === 10 && waiting);
    waiting = null;
    refuse = 1;
    for (const answer of answers) answer();
    const mailTo = ({ email }: { email: string }) => received.filter(({ to }) => to.includes(email));
    await until(() => people.every((each) => mailTo(each).length > 0));
    expect(people.flatMap(mailTo)).toHaveLength(10);
    const [first] = refused;
    const again = people.flatMap(mailTo).find(({ to }) => to[0] === first?.to[0]);
    expect(messageId(again?.text ?? "")).toBe(messageId(first?.text ?? "none"));
    const { rows } = await database.pool.query<{ output: { message: string } }>(
      "select output from jobs.job where output->>'message' is not null",
    );
    expect(rows.every(({ output }) => output.message === "mail failed")).toBe(true);
  });

  test("sends an awaited mail before other mails that were queued earlier", async () => {
    const student = await person(w, "student", "active");
    const { database, jobs } = w.services;
    await database.db.update(user).set({ emailVerified: false }).where(eq(user.id, student.id));
    received.splice(0);
    waiting = [];
    const mails = Array.from({ length: 30 }, (_, at) => ({
      data: { name: "Ada", email: `ada-${at}@example.org`, message: "Hello" },
    }));
    await database.transaction((tx) => queueMails(jobs, tx, contactMail, mails));
    const answers = await until(() => waiting?.length === 10 && waiting);
    await database.transaction((tx) => queueMail(jobs, tx, verificationMail, { userId: student.id }));
    waiting = null;
    for (const answer of answers) answer();
    await until(() => received.length === 31);
    // The two workers hold ten mails, and may each have fetched five more before the last one was queued.
    expect(received.findIndex(({ to }) => to.includes(student.email))).toBeLessThan(20);
  });
});

test("a retry has the same Message-ID, and writes the same file", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "wayfare-mail-"));
  const settings = { smtpUrl: null, mailFrom: "a@example.org", dataDir, baseUrl: "https://wayfare.example" };
  const mailer = createMailer(settings, createLog("silent"));
  const mail = compose({ to: "b@example.org", subject: "Hello", paragraphs: ["One."] });
  await mailer.send("job-1", mail);
  const [name = ""] = await readdir(join(dataDir, "mail"));
  const first = await readFile(join(dataDir, "mail", name), "utf8");
  await mailer.send("job-1", mail);
  expect(await readdir(join(dataDir, "mail"))).toEqual(["job-1.eml"]);
  const second = await readFile(join(dataDir, "mail", name), "utf8");
  expect(messageId(first)).toBe("<job-1@wayfare.example>");
  expect(messageId(second)).toBe(messageId(first));
});

test("puts the one-click link into the headers, and the page's link into text and HTML", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "wayfare-mail-"));
  const settings = { smtpUrl: null, mailFrom: "a@example.org", dataDir, baseUrl: "https://wayfare.example" };
  const mailer = createMailer(settings, createLog("silent"));
  const choices = {
    link: "https://wayfare.example/notifications",
    unsubscribe: "https://wayfare.example/unsubscribe?token=t",
  };
  const mail = compose({ to: "b@example.org", subject: "x", paragraphs: [], choices });
  await mailer.send("notification", mail);
  await mailer.send("account", compose({ to: "b@example.org", subject: "x", paragraphs: [] }));
  const [ofNotification = "", ofAccount = ""] = await Promise.all(
    ["notification", "account"].map((id) => readFile(join(dataDir, "mail", `${id}.eml`), "utf8")),
  );
  expect(ofNotification).toMatch(
    /^List-Unsubscribe: <https:\/\/wayfare\.example\/unsubscribe\?token=t>\r?$/m,
  );
  expect(ofNotification).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
  expect(mail.text).toContain(choices.link);
  expect(mail.html).toContain(`href="${choices.link}"`);
  expect(ofAccount).not.toMatch(/^List-Unsubscribe/im);
});

test("people's text can't become HTML, a second recipient or a header", async () => {
  const { html } = compose({
    to: "b@example.org",
    subject: "Hi",
    paragraphs: ["Hello <img src=x onerror=alert(1)>,"],
  });
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img");
  const dataDir = await mkdtemp(join(tmpdir(), "wayfare-mail-"));
  const settings = { smtpUrl: null, mailFrom: "a@example.org", dataDir, baseUrl: "https://wayfare.example" };
  const mailer = createMailer(settings, createLog("silent"));
  await mailer.send("job-2", {
    ...compose({ to: "b@example.org", subject: "x", paragraphs: [] }),
    subject: "Hi\r\nBcc: c@example.org",
  });
  const text = await readFile(join(dataDir, "mail", "job-2.eml"), "utf8");
  expect(text).not.toMatch(/^Bcc:/im);
});

test("a public site's log contains neither the link nor the recipient of a mail", async () => {
  const open = await wayfare({ variables: { BASE_URL: "https://wayfare.example" } });
  const form = signUpForm();
  await new Caller(open.app).call("account.signUp", form);
  const { id } = await until(() => open.log.find(({ msg }) => msg === "mail written"));
  const text = await readFile(join(open.environment.dataDir, "mail", `${id}.eml`), "utf8");
  expect(text).toContain(form.email);
  expect(text).toContain("token=");
  expect(JSON.stringify(open.log)).not.toMatch(new RegExp(`${form.email}|token=`));
  await open.stop();
});
