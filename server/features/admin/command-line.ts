import { auditFilter } from "#contract/audit.ts";
import { isRole, statuses } from "#domain/account.ts";
import { auditActions, isAuditAction } from "#domain/audit.ts";
import { isCalendarDate } from "#domain/calendar-date.ts";
import { retentionRules } from "#domain/retention.ts";
import { actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { listEntries, listRules } from "#server/features/privacy/retention/rules.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { changeEmail, disable, logOut, withoutSecondFactor } from "./account-commands.ts";
import { listAccounts } from "./accounts.ts";
import { auditQuery, listAudit } from "./audit-log.ts";
import { amountOf, line, parse, type Write, wrong } from "./command-words.ts";
import { accountsCsv, actorNameAndId, auditCsv, pages } from "./exports.ts";
import { listFailedJobs, retryJob } from "./failed-jobs.ts";
import { keys, testMail } from "./installation-commands.ts";

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
npm run admin -- change-email EMAIL ADDRESS
    moves a student's or an agent's account to another address, as after somebody else has moved it away: ends its
    sessions, API keys, webhooks and young factors, and emails a link for a new password to that address
npm run admin -- log-out EMAIL [--keys]
    ends every session of an account; with --keys its API keys and its calendar's address too, for good
npm run admin -- log-out --everyone [--keys]
    ends every session of every account; with --keys every API key and calendar address too
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
    encrypts with the first secret what an older one has encrypted, as every night does
npm run admin -- keys replace
    lets Wayfare start with a secret that has nothing to do with the former one, as after a leak
npm run admin -- test-mail ADDRESS
    sends a mail by SMTP_URL at once, and prints what the mail server says if it refuses`;

/** Formats a time to the second, for people and programs. */
const formatTime = (moment: Date) => `${moment.toISOString().slice(0, 19)}Z`;

const day = 24 * 3_600_000;
function parseDay(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  if (!isCalendarDate(text)) throw wrong(`${text} is no day.`);
  return new Date(`${text}T00:00:00Z`);
}

/** Prints a list, a line for each entry, or a line that says it is empty. */
async function list<Page>(
  write: Write,
  all: AsyncIterable<Page>,
  linesOf: (page: Page) => readonly string[],
): Promise<void> {
  let isEmpty = true;
  for await (const page of all)
    for (const each of linesOf(page)) {
      isEmpty = false;
      await write(each);
    }
  if (isEmpty) await write("none\n");
}

async function users({ database }: Services, words: readonly string[], write: Write) {
  const { values, positionals } = parse(words, { role: { type: "string" }, status: { type: "string" } });
  const { role } = values;
  const status = statuses.find((each) => each === values.status);
  if (role !== undefined && !isRole(role)) throw wrong(`${role} is no role.`);
  if (values.status !== undefined && !status) throw wrong(`${values.status} is no status.`);
  const query = { search: positionals.join(" "), role, status };
  await list(
    write,
    pages((cursor) => listAccounts(database, { ...query, cursor })),
    ({ accounts }) =>
      accounts.map((each) =>
        line(each.email.padEnd(40), each.role.padEnd(7), each.status.padEnd(8), each.name),
      ),
  );
}

async function exportAccounts({ database }: Services, words: readonly string[], write: Write) {
  const { values } = parse(words, { json: { type: "boolean" } });
  await recordAudit(database.db, { action: "accounts-exported", ...actedBy(null) });
  const all = pages((cursor) => listAccounts(database, { search: "", cursor }));
  if (values.json)
    for await (const { accounts } of all)
      for (const each of accounts) await write(`${JSON.stringify(each)}\n`);
  else for await (const lines of accountsCsv(all)) await write(lines);
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
  await list(
    write,
    pages((cursor) => listFailedJobs(services.database, cursor)),
    (page) =>
      page.jobs.map((each) =>
        line(
          each.id,
          formatTime(each.failedAt),
          each.queue,
          amountOf(each.tries, "try", "tries"),
          each.error ?? "",
        ),
      ),
  );
}

async function retention(
  { database: { db }, environment }: Services,
  words: readonly string[],
  write: Write,
) {
  const [ruleName] = words;
  if (ruleName === undefined) {
    for (const { rule, days, due, soon } of await listRules(db, environment)) {
      const after = rule === "deletionAsked" ? "always" : days === null ? "kept" : `after ${days} days`;
      await write(line(rule.padEnd(18), after.padEnd(16), `${due} tonight`, `${soon} within 30 days`));
    }
    return;
  }
  const rule = retentionRules.find((each) => each === ruleName);
  if (!rule) throw wrong(`${ruleName} is no rule.`);
  await list(
    write,
    pages((from) => listEntries(db, environment, { rule, from })),
    ({ entries }) =>
      entries.map(({ id, at, who, count }) =>
        line(formatTime(at), who.padEnd(40), id, ...(count > 1 ? [`${count} of them`] : [])),
      ),
  );
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
  const to = parseDay(values.to);
  const filter = auditFilter.parse({
    action,
    actor,
    subject,
    from: parseDay(values.from),
    before: to && new Date(to.getTime() + day),
  });
  const query = await auditQuery(db, filter);
  if (values.csv) {
    const by = actedBy(null);
    await recordAudit(db, { action: "audit-exported", ...by, detail: { ...by.detail, ...query?.filters } });
    for await (const lines of auditCsv(db, query)) await write(lines);
    return;
  }
  const { entries } = await listAudit(db, query, null);
  if (entries.length === 0) return await write("none\n");
  for (const { at, action: done, actor: by, subject: about, detail } of entries) {
    const target = about ? `→ ${about.email ?? about.id}` : "";
    const details = Object.entries(detail).map(([key, value]) => `${key}=${value}`);
    const [name, id] = actorNameAndId(by);
    await write(line(formatTime(at), done.padEnd(22), name || id, target, ...details));
  }
}

const commands = {
  users,
  "remove-second-factor": withoutSecondFactor,
  disable: (...[services, words, write]) => disable(services, words, write, true),
  enable: (...[services, words, write]) => disable(services, words, write, false),
  "change-email": changeEmail,
  "log-out": logOut,
  export: exportAccounts,
  jobs,
  retention,
  audit,
  keys,
  "test-mail": testMail,
} satisfies Record<string, (services: Services, words: readonly string[], write: Write) => Promise<void>>;

export const isAdminCommand = (word: string): word is keyof typeof commands => Object.hasOwn(commands, word);

/** Runs `npm run admin -- COMMAND …`. Throws an Error to show to the operator. */
export const adminCommand = (
  services: Services,
  [name, ...words]: readonly [keyof typeof commands, ...string[]],
  write: Write,
): Promise<void> => commands[name](services, words, write);
