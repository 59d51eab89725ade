import type { StudentDetails } from "#contract/students.ts";
import { type DocumentState, documentLabel } from "#domain/document.ts";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import classes from "./student-expanded.module.css";

const amount = (number: number, one: string) => `${number} ${number === 1 ? one : `${one}s`}`;

/** Agent and counts: what every approved agent may know. */
export function StudentFacts({ details }: { details: StudentDetails }) {
  const { agent, shortlistItems, applications } = details;
  return (
    <dl className={classes.facts} aria-label="At a glance">
      <div>
        <dt>Assigned agent</dt>
        <dd>{agent ? [agent.name, agent.agency].filter(Boolean).join(", ") : "No agent assigned yet."}</dd>
      </div>
      <div>
        <dt>Applications</dt>
        <dd>{amount(applications, "application")}</dd>
      </div>
      <div>
        <dt>Shortlist</dt>
        <dd>{amount(shortlistItems, "item")}</dd>
      </div>
    </dl>
  );
}

export const StudentProgress = ({ progress }: Pick<StudentDetails, "progress">) => (
  <div className={classes.bars}>
    <ProgressBar label="Overall" percentage={progress.overall} />
    <ProgressBar label="Profile complete" percentage={progress.profile} />
    <ProgressBar label="Documents uploaded" percentage={progress.documents} />
  </div>
);

const stateWords: Record<DocumentState | "missing", string> = {
  missing: "Not uploaded",
  uploaded: "Waiting for review",
  approved: "Approved",
  rejected: "Rejected",
};

/** The six slots by name and state alone: the files are for the assigned agent and admins. */
export function DocumentStates({ documents }: Pick<StudentDetails, "documents">) {
  return (
    <dl className={classes.facts} aria-label="Documents">
      {documents.map(({ kind, state }) => (
        <div key={kind}>
          <dt>{documentLabel[kind]}</dt>
          <dd>{stateWords[state ?? "missing"]}</dd>
        </div>
      ))}
    </dl>
  );
}
