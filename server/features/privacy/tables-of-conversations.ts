import { sql } from "drizzle-orm";
import { message, messageFile, thread, threadReader } from "../conversations/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

const ofStudent = (id: string) => sql`thread_id in (select id from thread where student_id = ${id})`;

/** The tables of conversations, which belong to their student. */
export const tablesOfConversations: readonly TableOfPeople[] = [
  {
    table: messageFile,
    omittedBecause: "The files of your messages are in this folder.",
    keptBecause: "a file that staff sent belongs to the student; it has only the sender's former id",
    erase: [
      ({ id }) => sql`delete from message_file where student_id = ${id}`,
      ({ id }) => sql`delete from message_file where author_id = ${id} and number is null`,
    ],
  },
  {
    table: message,
    download: {
      // Staff get their own messages, without the student's name.
      messagesSent: (id) => sql`
        select text, at, taken_back_at as "takenBackAt" from message
        where author_id = ${id} and side = 'staff' order by at, thread_id, number`,
    },
    keptBecause: "what staff wrote belongs to the student; a message has only its author's former id",
    erase: [({ id }) => sql`delete from message where ${ofStudent(id)}`],
  },
  {
    table: threadReader,
    omittedBecause: "It only marks how far you have read.",
    erase: "cascade",
  },
  {
    table: thread,
    download: {
      conversations: (id) => sql`
        select (select program from application where application.id = application_id) as "program",
          (select json_agg(json_build_object('at', at, 'by', case when author_id = ${id} then 'you' else 'your consultancy' end,
            'text', text, 'takenBackAt', taken_back_at, 'blackedOut', redacted_by is not null, 'reason', reason,
            'files', (select coalesce(json_agg(name order by position), '[]') from message_file file
              where file.thread_id = message.thread_id and file.number = message.number)) order by number)
           from message where thread_id = thread.id) as messages
        from thread where student_id = ${id} order by last_at, id`,
    },
    erase: [({ id }) => sql`delete from thread where student_id = ${id}`],
  },
];
