import { randomUUID } from "node:crypto";
import { agencyFields } from "#domain/agency.ts";
import { agentActions } from "#domain/agent-approval.ts";
import { digests, maxItemsInMail } from "#domain/digest.ts";
import type { MailName } from "#domain/job-names.ts";
import { keysOf } from "#domain/keys-of.ts";
import {
  kindsInDigest,
  type NotificationKind,
  notificationKinds,
  notificationTable,
} from "#domain/notification.ts";
import { detailFields } from "#domain/profile-check.ts";
import { securityEvents } from "#domain/security-event.ts";
import { assemble } from "#server/compose.ts";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import { saveRequestedEmail } from "#server/features/account/requested-email.ts";
import { mailKinds } from "#server/features/index.ts";
import { keepAll } from "#server/features/notifications/current-notifications.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { runningPostgres } from "#server/platform/embedded-postgres.ts";
import { readEnvironment } from "#server/platform/environment.ts";
import { createLog } from "#server/platform/log.ts";
import type { Mail } from "#server/platform/mail.ts";
import type { Services } from "#server/services.ts";
import { product } from "./auctions.ts";
import { freshEmail } from "./factories.ts";
import { storedInvitation } from "./invitations.ts";

const name = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft Featherstonehaugh";
/** A value for each subject of notifications, as awkward as users may make it. */
const values: Readonly<Record<string, string>> = {
  student: name,
  agent: name,
  agency: `Agency of ${name}`,
  person: name,
  students: "12 students",
  sharing: "stopped",
  outcome: "stays",
  side: "staff",
  number: "7",
  state: "conditionalOffer",
  from: "sentToUniversity",
  program: `MSc${"x".repeat(117)}`,
  application: `MSc${"x".repeat(117)}, Trinity College Dublin, the University of Dublin, Spring Intake 2027`,
  university: "Trinity College Dublin, the University of Dublin",
  intake: "Spring Intake (January)",
  year: "2027",
  document: "Recommendation 1",
  request: "Bank statement of the last three months, stamped by the bank",
  task: "Book the English test at a centre that sends its results by post",
  thing: "Reply to the offer: MSc Data Science, University of Leeds, Spring Intake 2027",
  when: "in 3 days",
  due: "17:00 on 12 August in London; 21:30 your time",
  replyBy: "17:00 on 12 August in London",
  day: "12 August 2027",
  price: "R 1 250 000.00",
  product: "A".repeat(120),
  webhook: `https://receiver.example.org/${"wayfare".repeat(20)}`,
};
const longText = `Please look at https://courses.example.org/${"path/".repeat(30)} and tell us.\nThank you!`;

const email = (who: string) => `${freshEmail(who)}.${"wayfare.".repeat(20)}example.org`;

/** The data of one kind's jobs, by variant of the mail. */
type Variants = Readonly<Record<string, object>>;

function account(
  { database }: Services,
  changes: Partial<Parameters<typeof createAccount>[1]> = {},
): Promise<string> {
  const [firstName = "", lastName] = name.split(" ");
  const student = { role: "student", status: "active", email: email("student") } as const;
  const values = { ...student, emailVerified: true, firstName, lastName, ...changes };
  return database.transaction((tx) => createAccount(tx, values, "nobody logs in"));
}

const agent = (services: Services, status: "approved" | "pending" = "approved") =>
  account(services, { role: "agent", status, email: email("agent"), agency: `Agency of ${name}` });
const admin = (services: Services) => account(services, { role: "admin", email: email("admin") });

async function sessionOf({ database }: Services, userId: string) {
  const [id, token, expiresAt] = [randomUUID(), randomUUID(), new Date(Date.now() + 3_600_000)];
  await database.db.insert(session).values({ id, token, userId, expiresAt });
  return { id, userId };
}

async function invitation(
  services: Services,
  inviterId: string,
  {
    isReminder = false,
    ...invited
  }: Partial<Parameters<typeof storedInvitation>[2]> & { isReminder?: boolean } = {},
) {
  const values = { firstName: name, email: email("invited"), message: longText, ...invited };
  const invitationId = await storedInvitation({ services }, { id: inviterId }, values);
  return { invitationId, round: 1, isReminder };
}

/** Stores notifications that one mail contains. */
async function notificationMails(services: Services, ...kinds: NotificationKind[]) {
  const [userId, mailId] = [await account(services), randomUUID()];
  const rows = kinds.map((kind) => {
    const names = keysOf(notificationTable[kind].about);
    const about = Object.fromEntries(names.map((each) => [each, values[each] ?? longText]));
    return { userId, kind, mailId, about, eventKey: randomUUID(), path: `/application/${randomUUID()}` };
  });
  await services.database.db.insert(notification).values(rows);
  return { mailId };
}

async function entriesOf<Name extends string>(
  names: readonly Name[],
  variant: (name: Name) => Promise<object> | object,
): Promise<Variants> {
  const variants = [];
  for (const each of names) variants.push([each, await variant(each)] as const);
  return Object.fromEntries(variants);
}

/** The data of each kind's jobs, with matching people. A missing kind does not compile. */
const variantsOf: Record<MailName, (services: Services) => Promise<Variants>> = {
  "verify-email": async (services) => ({
    new: { userId: await account(services, { emailVerified: false }), next: "/programmes" },
  }),
  "reset-password": async (services) => {
    const address = email("reset");
    await account(services, { email: address });
    return { link: { email: address } };
  },
  "admin-link": async () => ({ link: { email: email("admin") } }),
  "change-email": async (services) => {
    const [from, free, used] = [email("former"), email("free"), email("taken")];
    const userId = await account(services, { email: from });
    await account(services, { email: used });
    await services.database.transaction((tx) => saveRequestedEmail(tx, userId, free));
    return { free: { userId, email: free, from }, taken: { userId, email: used, from } };
  },
  "email-changed": async () => ({ former: { to: email("former"), firstName: name } }),
  "mailbox-code": async (services) => ({
    confirmation: await sessionOf(services, await account(services)),
    "second factor": await sessionOf(services, await agent(services)),
  }),
  security: async (services) => {
    const userId = await account(services);
    await services.database.transaction((tx) => saveRequestedEmail(tx, userId, email("new")));
    const from = { browser: "Firefox for Android, beta", address: "2001:0db8:85a3:0000:0000:8a2e:0370:7334" };
    return await entriesOf(securityEvents, (event) => ({
      userId,
      event,
      at: Date.now(),
      ...(event === "new-device" && { from }),
      ...(event === "second-factor-reset" && { details: [`Reason: ${longText}`] }),
    }));
  },
  "agent-decision": () =>
    entriesOf(agentActions, (decision) => ({
      decision,
      email: email("agent"),
      firstName: name,
      reason: longText,
    })),
  invitation: async (services) => {
    const [byAgent, byAdmin, address] = [await agent(services), await admin(services), email("student")];
    await account(services, { email: address });
    const asAgent = { role: "agent", agency: `Agency of ${name}` } as const;
    const applicant = email("applicant");
    await account(services, { role: "agent", status: "pending", email: applicant });
    return {
      new: await invitation(services, byAgent),
      reminder: await invitation(services, byAgent, { isReminder: true }),
      "to a student with an account": await invitation(services, byAgent, { email: address }),
      "by an admin": await invitation(services, byAdmin),
      "as an agent": await invitation(services, byAdmin, asAgent),
      "as an agent who has applied": await invitation(services, byAdmin, { ...asAgent, email: applicant }),
    };
  },
  "details-edited": async (services) => ({
    agent: { userId: await agent(services), changed: [...detailFields, ...agencyFields] },
    student: { userId: await account(services), changed: detailFields },
  }),
  notification: async (services) => ({
    ...(await entriesOf(
      notificationKinds.filter((kind) => notificationTable[kind].mail !== "never"),
      (kind) => notificationMails(services, kind),
    )),
    ...(await entriesOf(keysOf(digests), (digest) => {
      const kinds = kindsInDigest(digest);
      return notificationMails(services, ...Array.from({ length: maxItemsInMail + 5 }, () => kinds).flat());
    })),
  }),
  "deletion-asked": async (services) => {
    const userId = await account(services, { status: "leaving", deletionDueAt: new Date() });
    await product({ services }, { id: userId }, { productName: "A".repeat(120) });
    return { "with a sale": { userId } };
  },
  "account-kept": async (services) => ({ kept: { userId: await account(services) } }),
  "unused-account": async (services) => ({
    unused: { userId: await account(services, { deletionDueAt: new Date(Date.now() + 3_600_000) }) },
  }),
  contact: async () => ({ message: { name, email: email("writer"), message: longText.repeat(5) } }),
};

/** Writes an email of every kind in the database of a running server, with the most awkward values. */
export async function sampleMails(dataDir: string): Promise<readonly { kind: string; mail: Mail }[]> {
  const address = await runningPostgres(dataDir);
  if (!address) throw new Error(`no server runs on ${dataDir}`);
  const environment = readEnvironment({ DATA_DIR: dataDir });
  const { services, stop } = await assemble(environment, address, createLog("warn"));
  try {
    // These notifications name nothing that exists, so their checks are replaced.
    const unchecked = Object.fromEntries(notificationKinds.map((kind) => [kind, keepAll]));
    const writing = { ...services, notificationChecks: { ...services.notificationChecks, ...unchecked } };
    const mails = [];
    for (const { name: kind, write } of mailKinds)
      for (const [variant, data] of Object.entries(await variantsOf[kind](services))) {
        const mail = await write(writing, data);
        if (!mail) throw new Error(`there is no mail ${kind}, ${variant}`);
        mails.push({ kind: `${kind} ${variant}`, mail });
      }
    return mails;
  } finally {
    await stop();
  }
}
