import { reportRows } from "#domain/enrolment-report.ts";
import { lastCheck } from "#server/features/audit/nightly.ts";
import { detailsOf, editDetails } from "#server/features/profile/commands.ts";
import { resetSecondFactor } from "#server/features/second-factor/commands/remove-factors.ts";
import { requireRecentLogin } from "#server/features/sessions/recent-login.ts";
import { writeCursor } from "#server/platform/keyset-list.ts";
import { actorOf, cursorOf, done, inTurn, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { accountCursor, accountSummary, listAccounts } from "./accounts.ts";
import { auditCursor, auditQuery, listAudit, peopleIn } from "./audit-log.ts";
import { endSessions } from "./end-sessions.ts";
import { jobCursor, listFailedJobs, retryJob } from "./failed-jobs.ts";
import { overviewFigures } from "./overview.ts";
import { enrolmentsByAgent, enrolmentsByMonth, enrolmentsByUniversity, staysInStates } from "./reports.ts";

export const auditLog = {
  list: signedIn.audit.list.handler(async ({ input: { cursor, limit, ...filter }, context }) => {
    const { searchDb } = context.services.database;
    const from = cursorOf(cursor, auditCursor);
    return await inTurn(context, async () => {
      const { entries, next } = await listAudit(searchDb, await auditQuery(searchDb, filter), from, limit);
      const people = await peopleIn(searchDb, entries);
      return { entries, people, next: next && writeCursor(next) };
    });
  }),

  lastCheck: signedIn.audit.lastCheck.handler(({ context }) => lastCheck(context.services.database.db)),
};

export const accounts = {
  list: signedIn.accounts.list.handler(async ({ input, context }) => {
    const query = { ...input, cursor: cursorOf(input.cursor, accountCursor) };
    const { accounts: rows, next } = await listAccounts(context.services.database, query, (search) =>
      inTurn(context, search),
    );
    return { accounts: rows, next: next && writeCursor(next) };
  }),

  summary: signedIn.accounts.summary.handler(async ({ input, context }) => {
    const account = await accountSummary(context.services.database.db, input.userId);
    if (!account) throw new Refusal("not-found");
    return account;
  }),

  details: signedIn.accounts.details.handler(
    async ({ input, context }) => await detailsOf(context.services, input.userId),
  ),

  editDetails: signedIn.accounts.editDetails.handler(async ({ input, context }) => {
    await editDetails(context.services, actorOf(context), input);
    return done;
  }),

  resetSecondFactor: signedIn.accounts.resetSecondFactor.handler(async ({ input, context }) => {
    requireRecentLogin(context.session);
    await resetSecondFactor(context.services, actorOf(context), input);
    return done;
  }),

  signOut: signedIn.accounts.signOut.handler(async ({ input, context }) => {
    await endSessions(context.services, actorOf(context), input);
    return done;
  }),
};

export const jobs = {
  failed: signedIn.jobs.failed.handler(async ({ input, context }) => {
    const from = cursorOf(input.cursor, jobCursor);
    const { jobs: rows, next } = await listFailedJobs(context.services.database, from, input.limit);
    return { jobs: rows, next: next && writeCursor(next) };
  }),

  retry: signedIn.jobs.retry.handler(async ({ input, context }) => {
    await retryJob(context.services, actorOf(context), input.id);
    return done;
  }),
};

export const overview = {
  figures: signedIn.overview.figures.handler(async ({ context }) =>
    inTurn(context, () => overviewFigures(context.services.database)),
  ),
};

export const reports = {
  enrolments: signedIn.reports.enrolments.handler(async ({ input: { year }, context }) => {
    const { searchDb } = context.services.database;
    return await inTurn(context, async () => ({
      months: await enrolmentsByMonth(searchDb, year),
      agents: await enrolmentsByAgent(searchDb, year, reportRows),
      universities: await enrolmentsByUniversity(searchDb, year, reportRows),
    }));
  }),

  stays: signedIn.reports.stays.handler(async ({ input: { year }, context }) => ({
    states: await inTurn(context, () => staysInStates(context.services.database.searchDb, year)),
  })),
};
