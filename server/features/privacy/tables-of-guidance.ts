import { sql } from "drizzle-orm";
import { confirmation } from "../applications/tables.ts";
import { changeRequest, sharing } from "../assignments/tables.ts";
import { invitation } from "../invitations/tables.ts";
import { note, notePin } from "../notes/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** The tables about the relation between a student and an agent. */
export const tablesOfGuidance: readonly TableOfPeople[] = [
  {
    table: notePin,
    omittedBecause: "It only marks which note stands first for staff.",
    erase: [({ id }) => sql`delete from note_pin where student_id = ${id}`],
  },
  {
    table: note,
    download: {
      staffNotes: (id) => sql`
        select kind, text, at, (select program from application where application.id = application_id) as "application"
        from note where student_id = ${id} order by at, id`,
    },
    // Notes are append-only, and are removed like the steps of applications. Notes by an erased agent stay, since they
    // are about the student.
    erase: [({ id }) => sql`select erase_notes(${id})`],
  },
  {
    table: confirmation,
    download: {
      confirmedLists: (id) => sql`
        select confirmation.list, confirmation.hash, asked_at as "askedAt", confirmed_at as "confirmedAt"
        from confirmation join application on application.id = application_id
        where student_id = ${id} order by asked_at, confirmation.id`,
    },
    erase: [
      ({ id }) => sql`
        delete from confirmation using application where application.id = application_id and student_id = ${id}`,
      ({ id }) => sql`update confirmation set asked_by = null where asked_by = ${id}`,
    ],
  },
  {
    table: sharing,
    download: {
      papersKeptFromAgents: (id) => sql`
        select (select name from "user" agent where agent.id = agent_id) as "agent", stopped_at as "since"
        from sharing where student_id = ${id} order by stopped_at, agent_id`,
    },
    erase: "cascade",
  },
  {
    table: changeRequest,
    download: {
      requestsForAnotherAgent: (id) => sql`
        select reason, asked_at as "askedAt", outcome, answer, closed_at as "closedAt"
        from change_request where student_id = ${id} order by asked_at, id`,
    },
    erase: [
      ({ id }) => sql`delete from change_request where student_id = ${id}`,
      ({ id }) => sql`update change_request set closed_by = null where closed_by = ${id}`,
    ],
  },
  {
    table: invitation,
    download: {
      invitationsSent: (id) => sql`
        select first_name as "firstName", last_name as "lastName", email, message, role, agency, country, state, invited_at as "invitedAt",
          ended_at as "endedAt"
        from invitation where inviter_id = ${id} order by invited_at, id`,
      invitationsReceived: (id) => sql`
        select message, state, invited_at as "invitedAt", ended_at as "endedAt"
        from invitation where student_id = ${id} or email = (select email from "user" where id = ${id})
        order by invited_at, invitation.id`,
    },
    erase: [
      ({ id, email }) =>
        sql`delete from invitation where inviter_id = ${id} or student_id = ${id} or email = ${email}`,
    ],
  },
];
