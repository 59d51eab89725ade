import { stateLabels } from "#domain/application.ts";
import { documentLabel } from "#domain/document.ts";
import { studentPath } from "#domain/student-list.ts";
import { formatDate } from "../../lib/format-date.ts";
import type { rpc } from "../../lib/rpc.ts";

type Waiting = Awaited<ReturnType<typeof rpc.students.waiting>>;
export type WaitingEntry = { key: string; to: string; name: string; text: string };

/** What waits, in words, each with the place where it is done. */
export const waitingEntries = ({ documents, applications, assigned }: Waiting) => ({
  documents: documents.map(
    ({ student, kinds, since }): WaitingEntry => ({
      key: student.id,
      to: studentPath(student),
      name: student.name,
      text: `${kinds.map((kind) => documentLabel[kind]).join(", ")} · since ${formatDate(since)}`,
    }),
  ),
  applications: applications.map(
    ({ student, program, state, since }): WaitingEntry => ({
      key: `${student.id} ${program} ${since.toISOString()}`,
      to: studentPath(student, "applications"),
      name: student.name,
      text: `${program}: ${stateLabels[state]} since ${formatDate(since)}`,
    }),
  ),
  assigned: assigned.map(
    ({ student, since }): WaitingEntry => ({
      key: student.id,
      to: studentPath(student),
      name: student.name,
      text: `Since ${formatDate(since)}`,
    }),
  ),
});
