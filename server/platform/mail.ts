import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Environment } from "./environment.ts";
import { escapeHtml } from "./escape-html.ts";
import type { Log } from "./log.ts";

/**
 * A mail as a feature writes it. `link` is the one thing to do with it, and stands in text and html too. `replyTo`:
 * where an answer goes instead of to the sender.
 */
export type Letter = {
  to: string;
  subject: string;
  text: string;
  html: string;
  link?: string;
  replyTo?: string;
};
export type Mailer = ReturnType<typeof createMailer>;

/** What a mail is made of: paragraphs, and perhaps one button. */
export type Words = {
  to: string;
  subject: string;
  paragraphs: readonly string[];
  action?: { label: string; link: string };
  replyTo?: string;
};

/** The same words as plain text and as HTML. */
export function compose({ to, subject, paragraphs, action, replyTo }: Words): Letter {
  const text = [...paragraphs, ...(action ? [`${action.label}: ${action.link}`] : []), "Wayfare"].join(
    "\n\n",
  );
  const button = action
    ? `<p><a href="${escapeHtml(action.link)}" style="background:#0E5A4E;color:#fff;padding:12px 20px;border-radius:10px;text-decoration:none">${escapeHtml(action.label)}</a></p><p>${escapeHtml(action.link)}</p>`
    : "";
  const html = `<!doctype html><html lang="en"><body style="font-family:sans-serif;color:#14213D;background:#FBF9F5;padding:24px">${paragraphs.map((paragraph) => `<p style="white-space:pre-line">${escapeHtml(paragraph)}</p>`).join("")}${button}<p>Wayfare</p></body></html>`;
  return { to, subject, text, html, ...(action && { link: action.link }), ...(replyTo && { replyTo }) };
}

type Place = Pick<Environment, "smtpUrl" | "mailFrom" | "dataDir" | "baseUrl">;

/**
 * Sends letters: to the server of SMTP_URL, or else as files into DATA_DIR/mail with the link in the log. `id` is
 * the job's: a retry has the same Message-ID and writes the same file.
 */
export function createMailer(place: Place, log: Log) {
  const folder = join(place.dataDir, "mail");
  const transport = place.smtpUrl
    ? createTransport({
        url: place.smtpUrl,
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
      })
    : null;
  const files = createTransport({ streamTransport: true, buffer: true });
  const host = new URL(place.baseUrl).hostname;

  async function write(id: string, message: object, letter: Letter) {
    const { message: bytes } = await files.sendMail(message);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${id}.eml`);
    await writeFile(`${path}.part`, bytes, { mode: 0o600 });
    await rename(`${path}.part`, path);
    log.info({ to: letter.to, subject: letter.subject, link: letter.link }, "mail written");
  }

  return {
    /** Whether mails leave this machine. */
    isReal: transport !== null,
    async send(id: string, letter: Letter): Promise<void> {
      const { to, subject, text, html, replyTo } = letter;
      // An object, not a header: an address with a comma in it can't become two.
      const message = {
        from: place.mailFrom,
        to: { name: "", address: to },
        ...(replyTo && { replyTo: { name: "", address: replyTo } }),
        subject,
        text,
        html,
        messageId: `<${id}@${host}>`,
      };
      if (transport) await transport.sendMail(message);
      else await write(id, message, letter);
    },
    close: () => transport?.close(),
  };
}
