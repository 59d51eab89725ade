import { mkdtemp, readdir, readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Caller } from "#tests/caller.ts";
import { signUpForm } from "#tests/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/wayfare.ts";
import { createLog } from "./log.ts";
import { compose, createMailer } from "./mail.ts";

/** A real mail server on loopback that refuses its first message. */
type Received = { to: string[]; text: string };
const received: Received[] = [];
let refusals = 0;
let refuse = 0;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, session, done) {
    let text = "";
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
    stream.on("end", () => {
      if (refuse > 0) {
        refuse--;
        refusals++;
        done(new Error("try again later"));
      } else {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      }
    });
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
    expect(refusals).toBe(1);
    expect(received.filter(({ to }) => to.includes(form.email))).toHaveLength(1);
  });
});

test("a retry has the same Message-ID, and writes the same file", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "wayfare-mail-"));
  const place = { smtpUrl: null, mailFrom: "a@example.org", dataDir, baseUrl: "https://wayfare.example" };
  const mailer = createMailer(place, createLog("silent"));
  const letter = compose({ to: "b@example.org", subject: "Hello", paragraphs: ["One."] });
  await mailer.send("job-1", letter);
  const [name = ""] = await readdir(join(dataDir, "mail"));
  const first = await readFile(join(dataDir, "mail", name), "utf8");
  await mailer.send("job-1", letter);
  expect(await readdir(join(dataDir, "mail"))).toEqual(["job-1.eml"]);
  const second = await readFile(join(dataDir, "mail", name), "utf8");
  expect(messageId(first)).toBe("<job-1@wayfare.example>");
  expect(messageId(second)).toBe(messageId(first));
});

test("what people typed can't become HTML, nor a second recipient or header", async () => {
  const { html } = compose({
    to: "b@example.org",
    subject: "Hi",
    paragraphs: ["Hello <img src=x onerror=alert(1)>,"],
  });
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img");
  const dataDir = await mkdtemp(join(tmpdir(), "wayfare-mail-"));
  const place = { smtpUrl: null, mailFrom: "a@example.org", dataDir, baseUrl: "https://wayfare.example" };
  const mailer = createMailer(place, createLog("silent"));
  await mailer.send("job-2", {
    ...compose({ to: "b@example.org", subject: "x", paragraphs: [] }),
    subject: "Hi\r\nBcc: c@example.org",
  });
  const text = await readFile(join(dataDir, "mail", "job-2.eml"), "utf8");
  expect(text).not.toMatch(/^Bcc:/im);
});
