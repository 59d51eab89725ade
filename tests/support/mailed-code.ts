import { mailboxCodeMail } from "#server/features/second-factor/mailbox-proof.ts";
import type { Caller } from "./caller.ts";
import type { Wayfare } from "./wayfare.ts";
import { writtenMails } from "./written-mails.ts";

const codeIn = (mail: string) => /Your code is (\d{4} \d{4})\./.exec(mail)?.[1];

/** Writes the mail with a session's code immediately, whichever node would do it; returns the code. */
export async function mailboxCodeFor({ services }: Wayfare, caller: Caller): Promise<string> {
  const session = await services.sessions.checkAny(caller.cookie);
  const mail = session && (await mailboxCodeMail.write(services, { id: session.id, userId: session.userId }));
  return codeIn(mail?.text ?? "") ?? "none";
}

/** Proves in a session that its holder reads the mailbox of the account. */
export const proveMailbox = async (w: Wayfare, caller: Caller) =>
  await caller.call("signInMethods.proveMailbox", { code: await mailboxCodeFor(w, caller) });

/** Returns the code in the mail to an address from a server's folder, or undefined if there is no mail yet. */
export async function mailedCode(dataDir: string, to: string): Promise<string | undefined> {
  const mails = (await writtenMails(dataDir)).map((mail) => mail.replaceAll("=\r\n", ""));
  const mail = mails.find((each) => each.includes(`To: ${to}`) && codeIn(each));
  return mail && codeIn(mail);
}
