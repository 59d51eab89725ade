import { IconChevronRight } from "@tabler/icons-react";
import { useId } from "react";
import type { StudentRow as Student } from "#contract/students.ts";
import { documentKinds } from "#domain/document.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { mayReassign } from "./guiding.ts";
import { StudentExpanded } from "./student-expanded.tsx";
import classes from "./student-row.module.css";
import type { RowActions } from "./use-row-actions.ts";

type StudentRowProps = { student: Student; opened: boolean; actions: RowActions };

/** One student: what is known at a glance, and more when the name is clicked (spec 2). */
export function StudentRow({ student, opened, actions }: StudentRowProps) {
  const detailsId = useId();
  const { name, email, phone, country } = student;
  return (
    <>
      <tr className={classes.row} data-opened={opened || undefined}>
        <th scope="row">
          <button
            type="button"
            className={classes.name}
            aria-expanded={opened}
            aria-controls={opened ? detailsId : undefined}
            onClick={() => actions.toggle(student)}
          >
            <IconChevronRight size={16} stroke={1.8} className={classes.chevron} aria-hidden />
            {name || email}
          </button>
          {student.disabled && <span className={classes.disabled}>Disabled</span>}
        </th>
        <td className={classes.howFar}>
          <HowFar student={student} />
        </td>
        <td className={classes.email} title={email}>
          {email}
        </td>
        <td className={classes.phone} data-missing={!phone || undefined}>
          {phone || "–"}
        </td>
        <td className={classes.country} data-missing={!country || undefined}>
          {country || "–"}
        </td>
        <td className={classes.action}>
          <RowButton
            label="Shortlist"
            about={`Shortlist of ${name}`}
            onClick={() => actions.shortlist(student)}
          />
        </td>
        <td className={classes.action}>
          <div className={classes.buttons}>
            <RowButton
              label="View Applications"
              about={`View Applications of ${name}`}
              onClick={() => actions.applications(student)}
            />
            <DisableButton student={student} actions={actions} />
          </div>
        </td>
        <td className={classes.action}>
          <AssignedAgent student={student} actions={actions} />
        </td>
      </tr>
      {opened && (
        <tr id={detailsId} className={classes.details}>
          <td colSpan={7} className={classes.expanded}>
            <StudentExpanded student={student} />
          </td>
        </tr>
      )}
    </>
  );
}

/** On a narrow screen only: the table has no room for it, and shows it once the row is opened. */
const HowFar = ({ student: { progress, documents } }: { student: Student }) => (
  <>
    <ProgressBar label="Progress" percentage={progress.overall} />
    <p className={classes.documents}>
      {documents.uploaded} of {documentKinds.length} documents
      {documents.toReview > 0 && <strong> · {documents.toReview} to review</strong>}
    </p>
  </>
);

type RowButtonProps = { label: string; about: string; onClick: () => void; disabled?: boolean };

/** `about` is the label with whom it is about, for who can't see the row. */
const RowButton = ({ label, about, onClick, disabled = false }: RowButtonProps) => (
  <Button
    size="compact-sm"
    variant="default"
    className={classes.button}
    aria-label={about}
    disabled={disabled}
    onClick={onClick}
  >
    {label}
  </Button>
);

type Part = { student: Student; actions: RowActions };

function DisableButton({ student, actions }: Part) {
  const viewer = useViewer();
  if (viewer?.role !== "admin") return null;
  const label = student.disabled ? "Enable" : "Disable";
  return (
    <RowButton
      label={label}
      about={`${label} ${student.name}`}
      disabled={actions.underWay === student.id}
      onClick={() => actions.setDisabled(student)}
    />
  );
}

function AssignedAgent({ student, actions }: Part) {
  const viewer = useViewer();
  const label = student.agent ? "Reassign" : "Assign Agent";
  const offered = viewer !== null && mayReassign(viewer, student);
  return (
    <div className={classes.agent}>
      {student.agent ? (
        <span className={classes.agentName}>{student.agent.name}</span>
      ) : (
        <span className={classes.nobody}>No agent yet</span>
      )}
      {offered && (
        <RowButton
          label={label}
          about={`${label}: ${student.name}`}
          onClick={() => actions.assign(student)}
        />
      )}
    </div>
  );
}
