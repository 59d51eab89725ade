import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Environment } from "./environment.ts";
import type { Log } from "./log.ts";
import { mailHtml } from "./mail-html.ts";

/**
 * A mail as a feature writes it. `link` is its one action, which text and html contain too. `replyTo`: recipient of
 * answers, if not the sender. `unsubscribe`: address behind the mail program's own button.
 */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  link?: string;
  replyTo?: string;
  unsubscribe?: string;
};

/** The contents of a mail: paragraphs, perhaps one button and, for notifications, the page to choose what is mailed. */
export type Words = {
  to: string;
  subject: string;
  paragraphs: readonly string[];
  action?: { label: string; link: string };
  replyTo?: string;
  choices?: { link: string; unsubscribe: string };
};

/**
 * Returns the name for a mail's greeting. It is empty for an unverified address: the person who entered it may have put
 * any text into the name, and the mailbox may be a stranger's.
 */
export const nameToGreet = (holder: { firstName: string; emailVerified: boolean }): string =>
  holder.emailVerified ? holder.firstName : "";

/** An account may lack a first name, since an admin may have set no more than a password. */
export const greeting = (firstName: string): string => (firstName ? `Hello ${firstName},` : "Hello,");

/** Writes a mail as plain text and as HTML. */
export function compose({ to, subject, paragraphs, action, replyTo, choices }: Words): Mail {
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}: ${action.link}`] : []),
    "Wayfare",
    ...(choices ? [`${choicesLabel}: ${choices.link}`] : []),
  ].join("\n\n");
  return {
    to,
    subject,
    text,
    html: mailHtml(subject, paragraphs, action, choices && { label: choicesLabel, link: choices.link }),
    ...(action && { link: action.link }),
    ...(replyTo && { replyTo }),
    ...(choices && { unsubscribe: choices.unsubscribe }),
  };
}

const choicesLabel = "Choose which emails you get";

type MailSettings = Pick<Environment, "smtpUrl" | "mailFrom" | "dataDir" | "baseUrl">;

/**
 * Sends mails to the server of SMTP_URL, or else writes them to files in DATA_DIR/mail, with the link in the log unless
 * the site is public. `id` is the job's: a retry has the same Message-ID and writes the same file.
 */
export function createMailer(settings: MailSettings, log: Log) {
  const folder = join(settings.dataDir, "mail");
  const transport = settings.smtpUrl
    ? createTransport({
        url: settings.smtpUrl,
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
      })
    : null;
  const files = createTransport({ streamTransport: true, buffer: true });
  const { hostname: host, protocol } = new URL(settings.baseUrl);
  // A log is copied to more places than a folder. A link there would let others in, and an address is personal.
  const isPrivate = protocol !== "https:";

  async function write(id: string, message: object, mail: Mail) {
    const { message: bytes } = await files.sendMail(message);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${id}.eml`);
    await writeFile(`${path}.part`, bytes, { mode: 0o600 });
    await rename(`${path}.part`, path);
    const { to, subject, link } = mail;
    log.info(isPrivate ? { to, subject, link } : { id }, "mail written");
  }

  return {
    /** Whether mails leave this machine. */
    isReal: transport !== null,
    async send(id: string, mail: Mail): Promise<void> {
      const { to, subject, text, html, replyTo, unsubscribe } = mail;
      // An address with a comma in an object, unlike in a header, can't become two.
      const message = {
        from: settings.mailFrom,
        to: { name: "", address: to },
        ...(replyTo && { replyTo: { name: "", address: replyTo } }),
        ...(unsubscribe && {
          list: { unsubscribe },
          headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
        }),
        subject,
        text,
        html,
        messageId: `<${id}@${host}>`,
      };
      if (transport) await transport.sendMail(message);
      else await write(id, message, mail);
    },
    close: () => transport?.close(),
  };
}
