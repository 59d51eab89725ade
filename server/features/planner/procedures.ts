import { refundFailure, requireAllowance } from "#server/features/account/allowance.ts";
import { countAgentPace } from "#server/features/assignments/commands/agent-pace.ts";
import { requireViewReason } from "#server/features/assignments/commands/look-reason.ts";
import { actorOf, done, signedIn } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { dueThingsOf, planOf, requirePlanAccess, timeZoneOf } from "./queries.ts";
import { requestedFileFor, requestFilePath } from "./request-files.ts";
import { askFor, changeRequest, decideAboutRequest } from "./requests.ts";
import {
  makeCalendar,
  muteThing,
  pauseStudent,
  removeCalendar,
  setTimeZone,
  settingsOf,
} from "./settings.ts";
import { addTemplate, removeTemplate, templates } from "./task-templates.ts";
import { addTask, changeTask, moveTask } from "./tasks.ts";
import { todayOf } from "./today.ts";

export const planner = {
  ofStudent: signedIn.planner.ofStudent.handler(async ({ input, context }) => {
    const { db } = context.services.database;
    await requirePlanAccess(db, context.session, input.studentId);
    const plan = await planOf(db, input.studentId, context.session.userId);
    // Checks access again after reading the plan, so that nothing written after access ended is returned.
    const seesPapers = await requirePlanAccess(db, context.session, input.studentId);
    // A file's name can reveal as much as its content.
    return seesPapers ? plan : { ...plan, requests: plan.requests.map((each) => ({ ...each, file: null })) };
  }),

  askFor: signedIn.planner.askFor.handler(async ({ input, context }) => {
    const { services, session } = context;
    const allowance = requireAllowance(await services.limits.ask(session.userId));
    return { ids: await refundFailure(allowance, askFor(services, actorOf(context), input)) };
  }),

  changeRequest: signedIn.planner.changeRequest.handler(async ({ input, context }) => {
    await changeRequest(context.services, actorOf(context), input);
    return done;
  }),

  decideRequest: signedIn.planner.decideRequest.handler(async ({ input, context }) => {
    await decideAboutRequest(context.services, actorOf(context), input);
    return done;
  }),

  requestLink: signedIn.planner.requestLink.handler(async ({ input, context }) => {
    const { services, session } = context;
    const { db } = services.database;
    const file = await requestedFileFor(db, session, input.requestId);
    if (!file) throw new Refusal("not-found");
    await requireViewReason(db, session, file.student);
    await countAgentPace(services, session, "look");
    const path = requestFilePath(file.file.id);
    return services.fileLinks.make({ path, mode: input.mode, sessionId: session.id });
  }),

  addTask: signedIn.planner.addTask.handler(async ({ input, context }) => {
    const { services, session } = context;
    const allowance = requireAllowance(await services.limits.ask(session.userId));
    return { id: await refundFailure(allowance, addTask(services, actorOf(context), input)) };
  }),

  changeTask: signedIn.planner.changeTask.handler(async ({ input, context }) => {
    await changeTask(context.services, actorOf(context), input);
    return done;
  }),

  moveTask: signedIn.planner.moveTask.handler(async ({ input, context }) => {
    await moveTask(context.services, actorOf(context), input);
    return done;
  }),

  templates: signedIn.planner.templates.handler(async ({ context }) => ({
    templates: await templates(context.services.database.db),
  })),

  addTemplate: signedIn.planner.addTemplate.handler(async ({ input, context }) => ({
    id: await addTemplate(context.services, actorOf(context), input),
  })),

  removeTemplate: signedIn.planner.removeTemplate.handler(async ({ input, context }) => {
    await removeTemplate(context.services, actorOf(context), input.templateId);
    return done;
  }),

  today: signedIn.planner.today.handler(
    async ({ input, context }) => await todayOf(context.services.database.db, context.session, input.all),
  ),

  mine: signedIn.planner.mine.handler(async ({ context }) => {
    const { db } = context.services.database;
    const { userId } = context.session;
    const [things, timeZone] = await Promise.all([dueThingsOf(db, userId), timeZoneOf(db, userId)]);
    return { things, timeZone };
  }),

  pause: signedIn.planner.pause.handler(async ({ input, context }) => {
    await pauseStudent(context.services, actorOf(context), input);
    return done;
  }),

  mute: signedIn.planner.mute.handler(async ({ input, context }) => {
    await muteThing(context.services, actorOf(context), input);
    return done;
  }),

  settings: signedIn.planner.settings.handler(
    async ({ context }) => await settingsOf(context.services.database.db, context.session.userId),
  ),

  setTimeZone: signedIn.planner.setTimeZone.handler(async ({ input, context }) => {
    await setTimeZone(context.services, actorOf(context), input);
    return done;
  }),

  makeCalendar: signedIn.planner.makeCalendar.handler(async ({ context }) => {
    const { services, session } = context;
    requireAllowance(await services.limits.calendarAddress(session.userId));
    return { url: await makeCalendar(services, actorOf(context)) };
  }),

  removeCalendar: signedIn.planner.removeCalendar.handler(async ({ context }) => {
    await removeCalendar(context.services, actorOf(context));
    return done;
  }),
};
