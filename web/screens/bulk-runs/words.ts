import type { BulkRun } from "#contract/bulk-runs.ts";
import { stateLabels } from "#domain/application.ts";
import { isSending } from "#domain/bulk-run.ts";
import { dayWords, strictnessWords, zonePlace } from "#domain/deadline.ts";
import { numberOfStudents } from "#domain/student-list.ts";

const applications = (number: number) => (number === 1 ? "1 application" : `${number} applications`);
const rowsOf = ({ waiting, done, skipped, failed }: BulkRun) => waiting + done + skipped + failed;

/** Names an act, such as "Assign 12 students to Kofi Mensah". */
export function titleOf(run: BulkRun): string {
  const rows = rowsOf(run);
  if (run.move)
    return `Move ${applications(rows)} from ${stateLabels[run.move.from]} to ${stateLabels[run.move.to]}`;
  if (run.act === "import") return `Import a file of ${rows === 1 ? "1 row" : `${rows} rows`}`;
  if (run.act === "message") return `Write to ${numberOfStudents(rows)}`;
  if (run.act === "task") return `Give ${numberOfStudents(rows)} a task`;
  if (run.act === "invite") return `Invite ${rows === 1 ? "1 person" : `${rows} people`}`;
  if (run.act === "request") return `Ask ${numberOfStudents(rows)} for a document`;
  if (run.act === "takeBack") return `Take back the agent of ${numberOfStudents(rows)}`;
  return run.agent
    ? `Assign ${numberOfStudents(rows)} to ${run.agent.name}`
    : `Leave ${numberOfStudents(rows)} without an agent`;
}

/** Says when a task or a request is due, and whether anything is accepted after that. */
export function dueOf({ date, time, zone, whose, hard }: NonNullable<BulkRun["due"]>): string {
  const when = time === null ? `at the end of ${dayWords(date)}` : `at ${time} on ${dayWords(date)}`;
  const clock = whose === "applicant" ? "on each student's clock" : `in ${zonePlace(zone)}`;
  return `Due ${when} ${clock}. ${strictnessWords(hard)}`;
}

/** Returns the word for what happens to a row that is done. */
export const doneWord = ({ act }: BulkRun): "sent" | "changed" => (isSending(act) ? "sent" : "changed");

/** Describes the progress of an act in a sentence. */
export function stateOf(run: BulkRun): string {
  const { waiting, done, skipped, failed } = run;
  if (run.startedAt === null)
    return `${waiting} will be ${doneWord(run)}${skipped > 0 ? `, ${skipped} won't` : ""}. Nothing has ${isSending(run.act) ? "been sent" : "changed"} yet.`;
  const outcome = [
    `${done} ${doneWord(run)}`,
    skipped > 0 && `${skipped} left out`,
    failed > 0 && `${failed} failed`,
  ]
    .filter(Boolean)
    .join(", ");
  return run.finishedAt === null ? `${outcome}, ${waiting} to go.` : `${outcome}.`;
}
