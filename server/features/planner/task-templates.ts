import { randomUUID } from "node:crypto";
import { and, asc, eq, inArray, isNull, notInArray, or, sql } from "drizzle-orm";
import type { TaskTemplate } from "#contract/planned-work.ts";
import {
  type ApplicationState,
  applicationStates,
  type StudyCountry,
  type StudyLevel,
} from "#domain/application.ts";
import { isOpen } from "#domain/application-step.ts";
import { daysFrom, localTime } from "#domain/local-time.ts";
import { isAdmin } from "#domain/permission.ts";
import { checkTask, taskLimits } from "#domain/task.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { application } from "#server/features/applications/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { deadlineRow } from "./deadline-columns.ts";
import { timeZoneOf } from "./queries.ts";
import { task, taskTemplate } from "./tables.ts";

const templateFields = {
  id: taskTemplate.id,
  title: taskTemplate.title,
  text: taskTemplate.text,
  owner: taskTemplate.owner,
  studyLevel: taskTemplate.studyLevel,
  country: taskTemplate.country,
  dueDays: taskTemplate.dueDays,
};

/** Lists the templates of tasks, oldest first. */
export const templates = (db: Reader): Promise<TaskTemplate[]> =>
  db
    .select(templateFields)
    .from(taskTemplate)
    .orderBy(asc(taskTemplate.createdAt), asc(taskTemplate.id))
    .limit(taskLimits.templates);

/** Adds a template and returns its id. */
export async function addTemplate(
  { database }: Services,
  actor: Actor,
  form: Omit<TaskTemplate, "id">,
): Promise<string> {
  const terms = checkTask(form);
  if ("code" in terms) throw Refusal.of(terms);
  return await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    if ((await tx.$count(taskTemplate)) >= taskLimits.templates)
      throw new Refusal("resource-exhausted", {
        message: `There can be ${taskLimits.templates} templates at most.`,
      });
    const { owner, studyLevel, country, dueDays } = form;
    const id = randomUUID();
    await tx.insert(taskTemplate).values({ id, ...terms, owner, studyLevel, country, dueDays });
    await recordAudit(tx, { action: "task-template-added", ...actedBy(actor), detail: { template: id } });
    return id;
  });
}

/** Removes a template. Tasks that were copied from it stay. */
export async function removeTemplate({ database }: Services, actor: Actor, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const rows = await tx
      .delete(taskTemplate)
      .where(eq(taskTemplate.id, id))
      .returning({ id: taskTemplate.id });
    if (rows.length === 0) throw new Refusal("not-found");
    await recordAudit(tx, { action: "task-template-removed", ...actedBy(actor), detail: { template: id } });
  });
}

type TemplateTarget = {
  applicationId: string;
  studentId: string;
  highestStudyLevel: StudyLevel;
  countries: readonly StudyCountry[];
};

const openStates = applicationStates.filter(isOpen);

/**
 * Copies the templates of a new application's level and countries. A task that the student already has is not
 * duplicated; if it is still open and its application has ended, it moves to the new one.
 */
export async function copyTemplates(_: Services, tx: Transaction, target: TemplateTarget): Promise<void> {
  const { applicationId, studentId, highestStudyLevel, countries } = target;
  const matching = await tx
    .select(templateFields)
    .from(taskTemplate)
    .where(
      and(
        or(isNull(taskTemplate.studyLevel), eq(taskTemplate.studyLevel, highestStudyLevel)),
        or(isNull(taskTemplate.country), inArray(taskTemplate.country, [...countries])),
      ),
    )
    .limit(taskLimits.templates);
  if (matching.length === 0) return;
  const zone = await timeZoneOf(tx, studentId);
  const today = localTime(zone, new Date()).date;
  const rows = matching.map(({ id: templateId, title, text, owner, dueDays }) => ({
    id: randomUUID(),
    studentId,
    applicationId,
    title,
    text,
    owner,
    templateId,
    createdBy: studentId,
    ...deadlineRow(
      dueDays === null
        ? null
        : { date: daysFrom(today, dueDays), time: null, zone, whose: "applicant", hard: false },
    ),
  }));
  const isOrphaned = sql`${task.state} = 'open' and exists (select from ${application}
    where ${application.id} = ${task.applicationId} and ${notInArray(application.state, openStates)})`;
  await tx
    .insert(task)
    .values(rows)
    .onConflictDoUpdate({
      target: [task.studentId, task.templateId],
      set: {
        applicationId,
        dueDate: sql`excluded.due_date`,
        dueTime: sql`excluded.due_time`,
        dueZone: sql`excluded.due_zone`,
        dueWhose: sql`excluded.due_whose`,
        dueHard: sql`excluded.due_hard`,
        dueAt: sql`excluded.due_at`,
        version: sql`${task.version} + 1`,
        updatedAt: new Date(),
      },
      setWhere: isOrphaned,
    });
}

type EndedApplication = { applicationId: string; from: ApplicationState; to: ApplicationState };

/**
 * Moves the open template tasks of an ending application to another open application of the student that has the same
 * template.
 */
export async function handTasksOver(
  _: Services,
  tx: Transaction,
  { applicationId, from, to }: EndedApplication,
): Promise<void> {
  if (!isOpen(from) || isOpen(to)) return;
  await tx.execute(sql`
    update task set application_id = next.application_id, version = version + 1, updated_at = now()
    from (
      select distinct on (task.id) task.id, other.id as application_id
      from task join task_template template on template.id = template_id
        join application other on other.student_id = task.student_id and other.id <> task.application_id
      where application_id = ${applicationId} and task.state = 'open'
        and other.state = any(${sql.param(openStates)}::text[])
        and (study_level is null or study_level = highest_study_level)
        and (country is null or country = any(country_codes))
      order by task.id, other.created_at, other.id
    ) next
    where task.id = next.id`);
}
