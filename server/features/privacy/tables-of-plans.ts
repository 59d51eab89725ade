import { sql } from "drizzle-orm";
import {
  calendarFeed,
  mutedThing,
  pause,
  reminder,
  reminderPlan,
  request,
  task,
  taskTemplate,
} from "../planner/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";
import { enteredBy } from "./tables-of-files.ts";

/** The tables of requests, tasks and reminders. */
export const tablesOfPlans: readonly TableOfPeople[] = [
  {
    table: request,
    download: {
      requests: (id) => sql`
        select kind, name, reason, blocks as "blocksTheNextStep", state, note, due_date as "dueDate",
          due_time as "dueTime", due_zone as "dueTimeZone", due_hard as "hardDeadline", original_name as "fileName",
          size as "bytes", created_at as "askedAt", supplied_at as "sentAt", ${enteredBy(sql`storage_key`)} as "enteredBy"
        from request where student_id = ${id} order by created_at, id`,
    },
    erase: [({ id }) => sql`delete from request where student_id = ${id}`],
  },
  {
    table: task,
    download: {
      tasks: (id) => sql`
        select title, text, state, note, due_date as "dueDate", due_time as "dueTime", due_zone as "dueTimeZone",
          created_at as "addedAt"
        from task where student_id = ${id} and owner = 'student' order by created_at, id`,
    },
    erase: [({ id }) => sql`delete from task where student_id = ${id}`],
    keptBecause: "an admin's task is about its student, and goes with them",
  },
  {
    table: taskTemplate,
    omittedBecause: "It has tasks that every new application brings, and says nothing of people.",
    keptBecause: "a template names nobody",
  },
  {
    table: reminderPlan,
    omittedBecause: "It only says when your requests and tasks are checked next.",
    keptBecause: "a row goes within a minute once its request or task is gone",
  },
  {
    table: reminder,
    download: {
      reminders: (id) => sql`
        select thing, rung as "daysAfterTheDeadline", queued_at as "at" from reminder
        where user_id = ${id} order by queued_at, thing, rung`,
    },
    erase: "cascade",
  },
  {
    table: pause,
    download: {
      remindersPaused: (id) => sql`select until from pause where student_id = ${id}`,
    },
    erase: "cascade",
  },
  {
    table: mutedThing,
    download: {
      remindersMuted: (id) => sql`select thing from muted_thing where user_id = ${id} order by thing`,
    },
    erase: "cascade",
  },
  {
    table: calendarFeed,
    download: {
      calendarAddress: (id) => sql`select made_at as "madeAt" from calendar_feed where user_id = ${id}`,
    },
    erase: "cascade",
  },
];
