import { mayFollow, maySeeIdentity } from "#domain/permission.ts";
import { studentById } from "#server/features/assignments/queries.ts";
import { actorOf, done, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { addItem, removeItem } from "./commands.ts";
import { itemsOf } from "./queries.ts";

export const shortlist = {
  list: signedIn.shortlist.list.handler(async ({ input, context }) => {
    const { services, session } = context;
    const { db } = services.database;
    const studentId = input.studentId ?? session.userId;
    const viewer = { ...session, id: session.userId };
    const student = mayFollow(viewer, studentId) ? await studentById(db, studentId) : null;
    if (!student) throw new Refusal("not-found");
    const seesIdentity = maySeeIdentity(viewer, student);
    const items = await itemsOf(db, student.id, { seesIdentity });
    return { student: { id: student.id, name: student.name }, items };
  }),

  add: signedIn.shortlist.add.handler(async ({ input, context }) => {
    const { studentId = context.session.userId, ...form } = input;
    return await addItem(context.services, actorOf(context), studentId, form);
  }),

  remove: signedIn.shortlist.remove.handler(async ({ input, context }) => {
    await removeItem(context.services, actorOf(context), input.id);
    return done;
  }),
};
