import { z } from "zod";
import type { MailName } from "#domain/job-names.ts";
import type { Transaction } from "./database.ts";
import type { Jobs, Queue } from "./jobs.ts";
import type { Mail } from "./mail.ts";

/**
 * A kind of mail: the data of its job, and how the mail is written when the job runs. The data holds ids rather than
 * text where it can, so that the mail is true when it is sent. `write` returns null if there is nothing to say any
 * more. `isAwaited`: a person waits for it at a screen, so it is sent before all other mail.
 */
export type MailKind<Data, Context> = {
  name: MailName;
  isAwaited?: true;
  data: z.ZodType<Data>;
  write(context: Context, data: Data): Promise<Mail | null>;
};

/** A kind with its data's type hidden, as the registry of all kinds holds it. */
export type AnyMailKind<Context> = {
  name: MailName;
  write(context: Context, data: unknown): Promise<Mail | null>;
};

const payload = z.object({ mail: z.string(), data: z.unknown() });
/** With two workers a node opens at most ten connections to the mail server. */
export const mailQueue: Queue<z.infer<typeof payload>> = { name: "mail", payload, batchSize: 5 };

/** Queues a mail in the transaction of the change that it is about, to be sent after `afterSeconds`. */
export async function queueMail<Data, Context>(
  jobs: Pick<Jobs, "sendAll">,
  tx: Transaction,
  kind: MailKind<Data, Context>,
  data: Data,
  afterSeconds = 0,
): Promise<void> {
  await queueMails(jobs, tx, kind, [{ data, afterSeconds }]);
}

/** Queues several mails, each to be sent after its `afterSeconds`, immediately by default. */
export async function queueMails<Data, Context>(
  jobs: Pick<Jobs, "sendAll">,
  tx: Transaction,
  kind: MailKind<Data, Context>,
  mails: readonly { data: Data; afterSeconds?: number }[],
): Promise<void> {
  await jobs.sendAll(
    mailQueue,
    mails.map(({ data, afterSeconds = 0 }) => ({
      payload: { mail: kind.name, data },
      afterSeconds,
      priority: kind.isAwaited ? 1 : 0,
    })),
    tx,
  );
}

/** Returns a kind for the registry, which checks its data again when the job runs. */
export function registered<Data, Context>(kind: MailKind<Data, Context>): AnyMailKind<Context> {
  return { name: kind.name, write: (context, data) => kind.write(context, kind.data.parse(data)) };
}
