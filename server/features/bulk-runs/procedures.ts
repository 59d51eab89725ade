import { bulkLimits } from "#domain/bulk-run.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { listStudents } from "#server/features/students/list-students.ts";
import { actorOf, inTurn, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { prepareRun, startRun, takeBackRun } from "./commands.ts";
import { itemsOf, runOf, runsOf } from "./queries.ts";
import { retryRun } from "./retry.ts";

const tooMany = "You've prepared a lot of changes within the hour. Please try again later.";

export const bulkRuns = {
  choose: signedIn.bulkRuns.choose.handler(async ({ input, context }) => {
    const { services, session } = context;
    const query = { ...input, cursor: null, size: bulkLimits.students };
    const { students, next } = await listStudents(services.database, session.userId, query, (search) =>
      inTurn(context, search),
    );
    return { students: students.map(({ id, name }) => ({ id, name })), isAll: next === null };
  }),

  prepare: signedIn.bulkRuns.prepare.handler(async ({ input, context }) => {
    const { services, session } = context;
    requireAllowance(await services.limits.bulkRun(session.userId), "resource-exhausted", tooMany);
    const id = await prepareRun(services, actorOf(context), input);
    return await ownRun(context, id);
  }),

  start: signedIn.bulkRuns.start.handler(async ({ input: { id }, context }) => {
    await startRun(context.services, actorOf(context), id);
    return await ownRun(context, id);
  }),

  takeBack: signedIn.bulkRuns.takeBack.handler(async ({ input: { id }, context }) => {
    const undoing = await takeBackRun(context.services, actorOf(context), id);
    return await ownRun(context, undoing);
  }),

  retry: signedIn.bulkRuns.retry.handler(async ({ input: { id }, context }) => {
    const { services, session } = context;
    requireAllowance(await services.limits.bulkRun(session.userId), "resource-exhausted", tooMany);
    await retryRun(services, actorOf(context), id);
    return await ownRun(context, id);
  }),

  get: signedIn.bulkRuns.get.handler(({ input: { id }, context }) => ownRun(context, id)),

  items: signedIn.bulkRuns.items.handler(async ({ input: { id, limit, ...rows }, context }) => {
    await ownRun(context, id);
    const { services, session } = context;
    return await itemsOf(services.database.db, session.userId, id, rows, limit);
  }),

  list: signedIn.bulkRuns.list.handler(async ({ context: { services, session } }) => ({
    runs: await runsOf(services.database.db, session.userId),
  })),
};

type Context = Parameters<typeof actorOf>[0];

async function ownRun({ services, session }: Context, id: string) {
  const run = await runOf(services.database.db, session.userId, id);
  if (!run) throw new Refusal("not-found");
  return run;
}
