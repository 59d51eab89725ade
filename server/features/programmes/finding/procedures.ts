import { openRecord } from "#server/features/study-record/open-record.ts";
import { recordOf } from "#server/features/study-record/read-record.ts";
import { cursorOf, inTurn, signedIn, visitor } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { groupsOfStudent } from "../chosen.ts";
import { orders } from "./conditions.ts";
import { programmesForStudent, studentCursor } from "./for-student.ts";
import { institutionNames } from "./institutions.ts";
import { listProgrammes } from "./list.ts";
import { readCompared, readPage } from "./pages.ts";

export const programmes = {
  list: visitor.programmes.list.handler(async ({ input, context }) => {
    const { search, sort = "title", cursor, limit, ...filters } = input;
    const query = { search, filters, sort, cursor: cursorOf(cursor, orders[sort].cursor), limit };
    return await context.services.reads.run((from) =>
      listProgrammes(from, query, (find) => inTurn(context, find)),
    );
  }),

  counts: visitor.programmes.counts.handler(async ({ input, context }) => {
    const { search, ...filters } = input;
    return await context.services.programmeCounts(search, filters, (find) => inTurn(context, find));
  }),

  read: visitor.programmes.read.handler(async ({ input, context }) => {
    const page = await readPage(context.services.database.db, input.slug);
    if (!page) throw new Refusal("not-found");
    return page;
  }),

  compare: visitor.programmes.compare.handler(
    async ({ input, context }) => await readCompared(context.services.database.db, input.slugs),
  ),

  forStudent: signedIn.programmes.forStudent.handler(async ({ input, context }) => {
    const { services, session } = context;
    const { search, studentId = session.userId, outcome, sort = "gaps", cursor, limit, ...filters } = input;
    const query = { search, filters, outcome, sort, cursor: cursorOf(cursor, studentCursor(sort)), limit };
    const record = await openRecord(services, context, studentId, recordOf);
    const groups = await groupsOfStudent(services.database.db, studentId);
    return await inTurn(context, () =>
      programmesForStudent(services.database, services.requirementIndex, { record, groups }, query),
    );
  }),

  institutions: visitor.programmes.institutions.handler(async ({ input, context }) => ({
    names: await inTurn(context, () =>
      institutionNames(context.services.database.searchDb, input.search, input.country),
    ),
  })),
};
