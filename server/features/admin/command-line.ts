import { parseArgs } from "node:util";
import { eq } from "drizzle-orm";
import { auditFilter } from "#contract/audit.ts";
import { isRole, statuses } from "#domain/account.ts";
import { auditActions, isAuditAction } from "#domain/audit.ts";
import { isCalendarDate } from "#domain/calendar-date.ts";
import { normaliseEmail } from "#domain/email.ts";
import { retentionRules } from "#domain/retention.ts";
import { removeSecondFactor } from "#server/features/account/commands/authenticator.ts";
import { setDisabled } from "#server/features/account/commands/set-disabled.ts";
import { user } from "#server/features/account/tables.ts";
import { actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { listEntries, listRules } from "#server/features/privacy/retention/rules.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { listAccounts } from "./accounts.ts";
import { auditQuery, listAudit } from "./audit-log.ts";
import { endAllSessions, endSessions } from "./end-sessions.ts";
import { accountHeader, accountLine, auditCsv, pages, whoOf } from "./exports.ts";
import { listFailedJobs, retryJob } from "./failed-jobs.ts";

export const usage = `npm run admin -- EMAIL
    prints a new one-time link for an address of ADMIN_EMAILS
npm run admin -- users [SEARCH] [--role ROLE] [--status STATUS]
    lists accounts, the newest first
npm run admin -- disable EMAIL [--release-students]
    disables a student or an agent; an agent's students stay for 7 days, or leave at once
npm run admin -- enable EMAIL
    enables them again
npm run admin -- remove-second-factor EMAIL
    lets somebody who has lost their phone log in with the password alone, and logs them out everywhere
npm run admin -- log-out EMAIL
    ends every session of an account
npm run admin -- log-out --everyone
    ends every session of every account
npm run --silent admin -- export [--json]
    writes all accounts to standard output, as CSV or as JSON lines
npm run admin -- jobs
    lists jobs that failed, the last to fail first
npm run admin -- jobs retry ID
    has one tried again by the Wayfare that runs
npm run admin -- retention [RULE]
    shows what the nightly job will remove within 30 days: how many by each rule, or of one rule who and when
npm run admin -- audit [--action ACTION] [--actor WHO] [--subject WHO] [--from DAY] [--to DAY]
    lists the newest 50 entries of the audit log; WHO is an email, an account's id or "operator",
    DAY such as 2026-11-22 (UTC); ACTION one of --actions
npm run --silent admin -- audit --csv [the same]
    writes all of them to standard output as CSV
npm run admin -- audit --actions
    lists the actions
npm run admin -- keys
    says whether anything still needs an older secret of SESSION_SECRET
npm run admin -- keys renew
    encrypts with the first secret what an older one has encrypted, as every night does`;

/** Writes to standard output. */
type Write = (text: string) => void | Promise<void>;

const wrong = (what: string) => new Error(`${what}\n\n${usage}`);

/** What a terminal would take for more than text is left out. */
const line = (...cells: readonly string[]) => `${cells.join("  ").replaceAll(/\p{Cc}+/gu, " ")}\n`;

/** To the second, as people and programs read it. */
const shown = (moment: Date) => `${moment.toISOString().slice(0, 19)}Z`;

const day = 24 * 3_600_000;
function dayIn(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  if (!isCalendarDate(text)) throw wrong(`${text} is no day.`);
  return new Date(`${text}T00:00:00Z`);
}

async function users({ database }: Services, words: readonly string[], write: Write) {
  const { values, positionals } = parse(words, { role: { type: "string" }, status: { type: "string" } });
  const { role } = values;
  const status = statuses.find((each) => each === values.status);
  if (role !== undefined && !isRole(role)) throw wrong(`${role} is no role.`);
  if (values.status !== undefined && !status) throw wrong(`${values.status} is no status.`);
  const query = { search: positionals.join(" "), role, status };
  for await (const { accounts } of pages((cursor) => listAccounts(database, { ...query, cursor })))
    for (const each of accounts)
      await write(line(each.email.padEnd(40), each.role.padEnd(7), each.status.padEnd(8), each.name));
}

async function exportAccounts({ database }: Services, words: readonly string[], write: Write) {
  const { values } = parse(words, { json: { type: "boolean" } });
  await recordAudit(database.db, { action: "accounts-exported", ...actedBy(null) });
  if (!values.json) await write(accountHeader);
  for await (const { accounts } of pages((cursor) => listAccounts(database, { search: "", cursor })))
    for (const each of accounts) await write(values.json ? `${JSON.stringify(each)}\n` : accountLine(each));
}

async function disable(services: Services, words: readonly string[], write: Write, disabled: boolean) {
  const { values, positionals } = parse(words, { "release-students": { type: "boolean" } });
  const { id, email, role } = await accountOf(services.database, positionals[0]);
  if (role === "admin")
    throw new Error(`${email} is an admin's: take it off ADMIN_EMAILS and restart Wayfare.`);
  const releaseStudents = values["release-students"] ?? false;
  const state = disabled ? "disabled" : "enabled";
  try {
    await setDisabled(services, null, { userId: id, disabled, releaseStudents });
  } catch (error) {
    if (error instanceof Refusal) throw new Error(`${email} is ${state} already.`, { cause: error });
    throw error;
  }
  await write(line(`${email} is ${state}.`));
}

async function withoutSecondFactor(services: Services, words: readonly string[], write: Write) {
  const { id, email } = await accountOf(services.database, parse(words, {}).positionals[0]);
  if (!(await removeSecondFactor(services, id))) throw new Error(`${email} has no two-step login.`);
  await write(line(`${email} logs in with the password alone.`));
}

/** The account of an email address that an operator typed. */
async function accountOf({ db }: Services["database"], email: string | undefined) {
  if (email === undefined) throw wrong("Whose account?");
  const [found] = await db
    .select({ id: user.id, role: user.role })
    .from(user)
    .where(eq(user.email, normaliseEmail(email)));
  if (!found) throw new Error(`Nobody has the email address ${email}.`);
  return { ...found, email };
}

async function logOut(services: Services, words: readonly string[], write: Write) {
  const { values, positionals } = parse(words, { everyone: { type: "boolean" } });
  if (values.everyone) {
    if (positionals.length > 0) throw wrong("One account or everyone?");
    return await write(line(`${await endAllSessions(services)} accounts are logged out.`));
  }
  const { id, email } = await accountOf(services.database, positionals[0]);
  await endSessions(services, null, id);
  await write(line(`${email} is logged out everywhere.`));
}

async function jobs(services: Services, words: readonly string[], write: Write) {
  const [verb, id] = words;
  if (verb === "retry") {
    if (id === undefined) throw wrong("Which job?");
    if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) throw new Error(`${id} is no job's id.`);
    try {
      await retryJob(services, null, id);
    } catch (error) {
      if (error instanceof Refusal) throw new Error(`No failed job has the id ${id}.`, { cause: error });
      throw error;
    }
    return await write(line(`${id} is tried again as soon as Wayfare runs.`));
  }
  if (verb !== undefined) throw wrong(`jobs ${verb} is nothing.`);
  for await (const page of pages((cursor) => listFailedJobs(services.database, cursor)))
    for (const each of page.jobs)
      await write(line(each.id, shown(each.failedAt), each.queue, `${each.tries} tries`, each.error ?? ""));
}

async function retention(
  { database: { db }, environment }: Services,
  words: readonly string[],
  write: Write,
) {
  const [asked] = words;
  if (asked === undefined) {
    for (const { rule, days, due, soon } of await listRules(db, environment)) {
      const after = rule === "deletionAsked" ? "always" : days === null ? "kept" : `after ${days} days`;
      await write(line(rule.padEnd(18), after.padEnd(16), `${due} tonight`, `${soon} within 30 days`));
    }
    return;
  }
  const rule = retentionRules.find((each) => each === asked);
  if (!rule) throw wrong(`${asked} is no rule.`);
  for await (const { entries } of pages((from) => listEntries(db, environment, { rule, from })))
    for (const { id, at, who } of entries) await write(line(shown(at), who.padEnd(40), id));
}

async function audit({ database: { db } }: Services, words: readonly string[], write: Write) {
  const text = { type: "string" } as const;
  const { values } = parse(words, {
    action: text,
    actor: text,
    subject: text,
    from: text,
    to: text,
    csv: { type: "boolean" },
    actions: { type: "boolean" },
  });
  if (values.actions)
    return await write(
      Object.entries(auditActions)
        .map(([key, name]) => line(key.padEnd(24), name))
        .join(""),
    );
  const { action, actor, subject } = values;
  if (action !== undefined && !isAuditAction(action)) throw wrong(`${action} is no action.`);
  const to = dayIn(values.to);
  const filter = auditFilter.parse({
    action,
    actor,
    subject,
    from: dayIn(values.from),
    before: to && new Date(to.getTime() + day),
  });
  const query = await auditQuery(db, filter);
  if (values.csv) {
    const by = actedBy(null);
    await recordAudit(db, { action: "audit-exported", ...by, detail: { ...by.detail, ...query?.named } });
    for await (const lines of auditCsv(db, query)) await write(lines);
    return;
  }
  const { entries } = await listAudit(db, query, null);
  for (const { at, action: done, actor: by, subject: about, detail } of entries) {
    const whom = about ? `→ ${about.email ?? about.id}` : "";
    const details = Object.entries(detail).map(([key, value]) => `${key}=${value}`);
    const [name, id] = whoOf(by);
    await write(line(shown(at), done.padEnd(22), name || id, whom, ...details));
  }
}

async function keys(
  { database, secondFactors, webhookSecrets, ...services }: Services,
  words: readonly string[],
  write: Write,
) {
  const [verb] = words;
  if (verb !== undefined && verb !== "renew") throw wrong(`keys ${verb} is nothing.`);
  if (verb === "renew") {
    await secondFactors.renew(database.db);
    await webhookSecrets.renew(database.db);
  }
  const stored = {
    Authenticators: await secondFactors.count(database.db),
    "Secrets of webhooks": await webhookSecrets.count(database.db),
  };
  const { count } = services.keys;
  await write(line(`Secrets: ${count}. The first one signs and encrypts, all are accepted.`));
  for (const [name, { newest, older, lost }] of Object.entries(stored))
    await write(
      line(`${name}: ${newest} with the first, ${older} with an older one, ${lost} that none opens.`),
    );
  const isOlderNeeded = Object.values(stored).some(({ older }) => older > 0);
  if (count > 1)
    await write(
      line(
        isOlderNeeded
          ? "An older secret is still needed: run keys renew, or wait for the night."
          : "Nothing stored needs an older secret. Without it, who logged in before the change must log in again.",
      ),
    );
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>["options"] & object;

function parse<const Known extends Options>(words: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

const commands = {
  users,
  "remove-second-factor": withoutSecondFactor,
  disable: (...[services, words, write]) => disable(services, words, write, true),
  enable: (...[services, words, write]) => disable(services, words, write, false),
  "log-out": logOut,
  export: exportAccounts,
  jobs,
  retention,
  audit,
  keys,
} satisfies Record<string, (services: Services, words: readonly string[], write: Write) => Promise<void>>;

export const isAdminCommand = (word: string): word is keyof typeof commands => Object.hasOwn(commands, word);

/** What `npm run admin -- COMMAND …` does. Throws an Error to show to the operator. */
export const adminCommand = (
  services: Services,
  [name, ...words]: readonly [keyof typeof commands, ...string[]],
  write: Write,
): Promise<void> => commands[name](services, words, write);
