import { type Deadline, deadlineInstant } from "#domain/deadline.ts";
import { daysFrom, localTime } from "#domain/local-time.ts";
import { deadlineRow } from "#server/features/planner/deadline-columns.ts";
import type { request, task, taskTemplate } from "#server/features/planner/tables.ts";
import type { Account } from "./people.ts";
import { Random } from "./random.ts";
import { daysBefore } from "./time.ts";

type Request = typeof request.$inferInsert;
type Task = typeof task.$inferInsert;
export type PlannedWork = {
  requests: Request[];
  tasks: Task[];
  templates: (typeof taskTemplate.$inferInsert)[];
};

const documents: readonly { name: string; reason: string }[] = [
  { name: "Bank statement", reason: "The last three months, stamped by the bank." },
  { name: "Birth certificate", reason: "With a certified translation into English." },
  { name: "Reference from your employer", reason: "" },
  { name: "Tuberculosis test", reason: "From a clinic on the embassy's list." },
];
const tasks: readonly { title: string; text: string; owner: "student" | "agent" }[] = [
  { title: "Book the English test", text: "Any centre will do. Send us the date.", owner: "student" },
  { title: "Find a room", text: "The university's halls close their list early.", owner: "student" },
  { title: "Call the admissions office", text: "", owner: "agent" },
];
/** Days from now on which things are due. */
const dueIn = [-9, -1, 0, 2, 6, 13, 30] as const;

/** Plans requests and tasks of the students who have an agent, some of them overdue. */
export function planWork(students: readonly Account[], now: Date): PlannedWork {
  const random = new Random("planned work");
  const work: PlannedWork = { requests: [], tasks: [], templates: [] };
  const zone = "Europe/London";
  const due = () => {
    const date = daysFrom(localTime(zone, now).date, random.pick(dueIn));
    const hard = random.whole(0, 2) === 0;
    const deadline: Deadline = { date, time: hard ? "17:00" : null, zone, whose: "institution", hard };
    return { ...deadlineRow(deadline), dueAt: deadlineInstant(deadline) };
  };
  for (const { id: studentId, assignedAgentId } of students) {
    if (typeof assignedAgentId !== "string" || random.whole(0, 2) > 0) continue;
    const createdAt = daysBefore(now, random.whole(10, 20));
    const shared = { studentId, createdBy: assignedAgentId, createdAt, updatedAt: createdAt };
    const ask = { ...shared, kind: "other", blocks: false } as const;
    for (const paper of random.some(documents, random.whole(1, 2)))
      work.requests.push({ ...ask, ...paper, ...due(), id: random.uuid() });
    work.tasks.push({ ...shared, ...random.pick(tasks), ...due(), id: random.uuid() });
  }
  const template = { owner: "student", studyLevel: null, country: null } as const;
  work.templates.push(
    {
      ...template,
      id: random.uuid(),
      title: "Book the English test",
      text: "Any centre will do.",
      dueDays: 30,
    },
    {
      ...template,
      id: random.uuid(),
      title: "Pay the health surcharge",
      text: "",
      country: "GB",
      dueDays: 60,
    },
  );
  return work;
}
