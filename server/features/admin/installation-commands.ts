import { randomUUID } from "node:crypto";
import { looksLikeEmail } from "#domain/email.ts";
import { replaceSecrets } from "#server/features/account/secret-fingerprints.ts";
import { compose } from "#server/platform/mail.ts";
import type { Services } from "#server/services.ts";
import { line, parse, type Write, wrong } from "./command-words.ts";

export async function keys(
  { database, secondFactors, webhookSecrets, ...services }: Services,
  words: readonly string[],
  write: Write,
) {
  const [verb] = words;
  if (verb !== undefined && verb !== "renew" && verb !== "replace") throw wrong(`keys ${verb} is nothing.`);
  if (verb === "replace") {
    await replaceSecrets({ database, keys: services.keys });
    return await write(
      "Wayfare starts with this secret now, and with no other. What an older one encrypted is lost.\n",
    );
  }
  if (verb === "renew") {
    await secondFactors.renew(database.db);
    await webhookSecrets.renew(database.db);
  }
  const ciphertexts = {
    Authenticators: await secondFactors.count(database.db),
    "Secrets of webhooks": await webhookSecrets.count(database.db),
  };
  const { count } = services.keys;
  await write(line(`Secrets: ${count}. The first one signs and encrypts, all are accepted.`));
  for (const [name, { newest, older, lost }] of Object.entries(ciphertexts))
    await write(
      line(`${name}: ${newest} with the first, ${older} with an older one, ${lost} that none opens.`),
    );
  const isOlderNeeded = Object.values(ciphertexts).some(({ older }) => older > 0);
  if (count > 1)
    await write(
      line(
        isOlderNeeded
          ? "An older secret is still needed: run keys renew, or wait for the night."
          : "Nothing stored needs an older secret. Without it, who logged in before the change must log in again.",
      ),
    );
}

export async function testMail({ mailer, environment }: Services, words: readonly string[], write: Write) {
  const [to, ...others] = parse(words, {}).positionals;
  if (to === undefined || others.length > 0 || !looksLikeEmail(to)) throw wrong("To which address?");
  if (!mailer.isReal) throw new Error("SMTP_URL is not set: mails are written to DATA_DIR/mail.");
  const paragraphs = ["This is a test. If you can read it, Wayfare can send mail.", environment.baseUrl];
  try {
    await mailer.send(randomUUID(), compose({ to, subject: "A test of Wayfare", paragraphs }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The mail server of SMTP_URL did not take it: ${reason}`, { cause: error });
  }
  await write(
    line(
      `The mail server took it, as from ${environment.mailFrom}. Look into the mailbox, and the spam too.`,
    ),
  );
}
