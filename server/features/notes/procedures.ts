import { actorOf, cursorOf, done, signedIn } from "#server/procedures.ts";
import { addNote, pinNote } from "./commands.ts";
import { listNotes, noteCursor } from "./queries.ts";

export const notes = {
  ofStudent: signedIn.notes.ofStudent.handler(
    async ({ input: { studentId, cursor, limit }, context }) =>
      await listNotes(
        context.services.database,
        actorOf(context),
        { studentId },
        cursorOf(cursor, noteCursor),
        limit,
      ),
  ),

  ofApplication: signedIn.notes.ofApplication.handler(
    async ({ input: { applicationId, cursor, limit }, context }) =>
      await listNotes(
        context.services.database,
        actorOf(context),
        { applicationId },
        cursorOf(cursor, noteCursor),
        limit,
      ),
  ),

  addToStudent: signedIn.notes.addToStudent.handler(
    async ({ input: { studentId, ...form }, context }) =>
      await addNote(context.services, actorOf(context), { studentId }, form),
  ),

  addToApplication: signedIn.notes.addToApplication.handler(
    async ({ input: { applicationId, ...form }, context }) =>
      await addNote(context.services, actorOf(context), { applicationId }, form),
  ),

  pin: signedIn.notes.pin.handler(async ({ input, context }) => {
    await pinNote(context.services, actorOf(context), input);
    return done;
  }),
};
