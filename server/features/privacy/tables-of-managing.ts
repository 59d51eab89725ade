import { sql } from "drizzle-orm";
import { bulkItem, bulkRun } from "../bulk-runs/tables.ts";
import { savedView } from "../saved-views/tables.ts";
import { studentExport } from "../students/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** Tables of Manage Students: bulk actions, saved views and exports. */
export const tablesOfManaging: readonly TableOfPeople[] = [
  {
    table: bulkItem,
    omittedBecause: "Its rows are about students of yours, and what was done about you is in the audit log.",
    erase: [
      // Rows of an imported file name invited people by the address as it was typed, which may be a former one.
      ({ id, email }) => sql`
        delete from bulk_item
        where student_id = ${id} or lower(trim(expected -> 'invitation' ->> 'email')) in (
          select ${email} union all select email from invitation where student_id = ${id})`,
    ],
  },
  {
    table: bulkRun,
    download: {
      changesOfManyStudents: (id) => sql`
        select act, frozen_at as "preparedAt", started_at as "startedAt", finished_at as "finishedAt"
        from bulk_run where by = ${id} order by frozen_at, id`,
    },
    erase: [
      // Runs that name an agent are deleted for everyone, together with their rows.
      ({ id }) => sql`
        delete from bulk_run
        where by = ${id} or position(${id} in input::text) > 0
          or exists (select from bulk_item where run_id = bulk_run.id and position(${id} in expected::text) > 0)`,
    ],
  },
  {
    table: savedView,
    download: {
      savedViews: (id) => sql`
        select name, view, columns, created_at as "savedAt" from saved_view where owner_id = ${id} order by name, id`,
    },
    erase: [
      // Views of others that search for this person are deleted too.
      ({ id, name, email }) => sql`
        delete from saved_view
        where owner_id = ${id} or position(${id} in view::text) > 0
          or position(${email} in lower(view ->> 'search')) > 0
          or (${name} <> '' and position(lower(${name}) in lower(view ->> 'search')) > 0)`,
    ],
  },
  {
    table: studentExport,
    omittedBecause: "It keeps for a day what a link to a file of students is about.",
    erase: [
      ({ id }) => sql`
        delete from student_export
        where by = ${id} or position(${id} in view::text) > 0 or ${id} = any(student_ids)`,
    ],
  },
];
