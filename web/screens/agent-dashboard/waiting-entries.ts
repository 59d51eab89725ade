import { stateLabels } from "#domain/application.ts";
import { documentLabel } from "#domain/document.ts";
import { idleAfterHours, newForDays } from "#domain/student-list.ts";
import { studentPath } from "#protocol/addresses.ts";
import { formatDate } from "../../lib/format-date.ts";
import type { rpc } from "../../lib/rpc.ts";

type Waiting = Awaited<ReturnType<typeof rpc.students.waiting>>;
export type WaitingEntry = { key: string; to: string; name: string; text: string };
export type WaitingGroup = {
  key: keyof Waiting;
  title: string;
  entries: readonly WaitingEntry[];
  total: number;
};

type WaitingDocuments = Waiting["documents"]["entries"][number];
type WaitingApplication = Waiting["applications"]["entries"][number];

const ofDocuments = ({ student, kinds, since }: WaitingDocuments): WaitingEntry => ({
  key: student.id,
  to: studentPath(student),
  name: student.name,
  text: `${kinds.map((kind) => documentLabel[kind]).join(", ")} · since ${formatDate(since)}`,
});

const ofApplication = ({ student, program, state, since }: WaitingApplication): WaitingEntry => ({
  key: `${student.id} ${program} ${since.toISOString()}`,
  to: studentPath(student, "applications"),
  name: student.name,
  text: `${program} · ${stateLabels[state]} since ${formatDate(since)}`,
});

const ofStudent = ({ student, since }: Waiting["assigned"]["entries"][number]): WaitingEntry => ({
  key: student.id,
  to: studentPath(student),
  name: student.name,
  text: `Since ${formatDate(since)}`,
});

/** What waits for the agent, in words, each with the place where it is done. */
export const forAgent = ({ documents, applications, idle, assigned }: Waiting): WaitingGroup[] => [
  {
    key: "documents",
    title: "Documents to review",
    entries: documents.entries.map(ofDocuments),
    total: documents.total,
  },
  {
    key: "applications",
    title: "Applications to work on",
    entries: applications.entries.map(ofApplication),
    total: applications.total,
  },
  {
    key: "idle",
    title: `No activity for ${idleAfterHours} hours`,
    entries: idle.entries.map(ofApplication),
    total: idle.total,
  },
  {
    key: "assigned",
    title: `Assigned to you in the last ${newForDays} days`,
    entries: assigned.entries.map(ofStudent),
    total: assigned.total,
  },
];

/** What waits for the agent's students. */
export const forStudents = ({ students }: Waiting): WaitingGroup[] => [
  {
    key: "students",
    title: "Answers and offers",
    entries: students.entries.map(ofApplication),
    total: students.total,
  },
];
