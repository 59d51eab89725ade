import { actorOf, done, signedIn } from "#server/procedures.ts";
import { removeEntry, saveQualification, saveTest, saveWork } from "./commands.ts";
import { openRecord } from "./open-record.ts";
import { shownRecord } from "./queries.ts";

export const studyRecord = {
  read: signedIn.studyRecord.read.handler(async ({ input, context }) => {
    const { services, session } = context;
    const { studentId = session.userId } = input;
    return await openRecord(services, context, studentId, shownRecord);
  }),

  saveQualification: signedIn.studyRecord.saveQualification.handler(async ({ input, context }) => {
    const { id, studentId = context.session.userId, ...form } = input;
    return await saveQualification(context.services, actorOf(context), { studentId, id, form });
  }),

  saveTest: signedIn.studyRecord.saveTest.handler(async ({ input, context }) => {
    const { id, studentId = context.session.userId, ...form } = input;
    return await saveTest(context.services, actorOf(context), { studentId, id, form });
  }),

  saveWork: signedIn.studyRecord.saveWork.handler(async ({ input, context }) => {
    const { studentId = context.session.userId, workMonths } = input;
    await saveWork(context.services, actorOf(context), { studentId, workMonths });
    return done;
  }),

  remove: signedIn.studyRecord.remove.handler(async ({ input, context }) => {
    const { studentId = context.session.userId, id } = input;
    await removeEntry(context.services, actorOf(context), { studentId, id });
    return done;
  }),
};
