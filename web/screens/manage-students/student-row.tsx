import { IconChevronRight } from "@tabler/icons-react";
import { useId } from "react";
import type { StudentRow as Student } from "#contract/students.ts";
import { stateLabels } from "#domain/application.ts";
import { applicationName } from "#domain/application-notification.ts";
import { countryName } from "#domain/country.ts";
import { moneyText } from "#domain/currency.ts";
import { dayWords } from "#domain/deadline.ts";
import { documentKinds } from "#domain/document.ts";
import type { StudentColumn } from "#domain/student-list.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { withErasure } from "../../lib/leaving.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { mayReassign } from "./assign-dialog.tsx";
import { FitBadge } from "./fit-bar.tsx";
import { StudentExpanded } from "./student-expanded.tsx";
import classes from "./student-row.module.css";

/** The subjects of a student's dialogs; `disable` also covers enabling a disabled account. */
export type About = "shortlist" | "applications" | "assign" | "disable";
/** The actions of a student's row. */
export type RowActions = {
  toggle: (student: Student) => void;
  ask: (student: Student, about: About) => void;
  /** The id of the student who is being changed at the moment. */
  pending: string | null;
};

type StudentRowProps = {
  student: Student;
  opened: boolean;
  columns: readonly StudentColumn[];
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  actions: RowActions;
};

/** One student: the facts at a glance, and more when the name is clicked. */
export function StudentRow({ student, opened, columns, isChosen, onChoose, actions }: StudentRowProps) {
  const detailsId = useId();
  const viewer = useViewer();
  const { name, email, agent } = student;
  const assignLabel = agent ? "Reassign" : "Assign Agent";
  const disableLabel = student.disabled ? "Enable" : "Disable";
  return (
    <>
      <tr ref={passFocusOn} className={classes.row} data-opened={opened || undefined}>
        <th scope="row">
          <input
            type="checkbox"
            className={classes.box}
            aria-label={`Choose ${name || email}`}
            checked={isChosen}
            onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
          />
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
          {student.fit && <FitBadge fit={student.fit} />}
          {(student.disabled || student.erasedOn) && (
            <StateBadge tone="asks">
              {withErasure(student.disabled ? "Disabled" : "Leaving", student.erasedOn)}
            </StateBadge>
          )}
        </th>
        <td className={classes.progressCell}>
          <ProgressCell student={student} />
        </td>
        {columns.map((column) => {
          const text = texts[column](student);
          return (
            <td key={column} className={classes[column]} data-missing={text === "" || undefined}>
              {text || "–"}
            </td>
          );
        })}
        <td className={`${classes.action} ${classes.shortlist}`}>
          <RowButton
            label="Shortlist"
            about={`Shortlist of ${name}`}
            onClick={() => actions.ask(student, "shortlist")}
          />
        </td>
        <td className={`${classes.action} ${classes.actions}`}>
          <div className={classes.buttons}>
            <RowButton
              label="View Applications"
              about={`View Applications of ${name}`}
              onClick={() => actions.ask(student, "applications")}
            />
            {viewer?.role === "admin" && (
              <RowButton
                label={disableLabel}
                about={`${disableLabel} ${name}`}
                disabled={actions.pending === student.id}
                onClick={() => actions.ask(student, "disable")}
              />
            )}
          </div>
        </td>
        <td className={`${classes.action} ${classes.assigned}`}>
          <div className={classes.agent}>
            <span className={agent ? classes.agentName : classes.nobody}>
              {agent ? agent.name : "No agent yet"}
            </span>
            {viewer && mayReassign(viewer, student) && (
              <RowButton
                label={assignLabel}
                about={`${assignLabel}: ${name}`}
                onClick={() => actions.ask(student, "assign")}
              />
            )}
          </div>
        </td>
      </tr>
      {opened && (
        <tr ref={passFocusOn} id={detailsId} className={classes.details}>
          <td colSpan={5 + columns.length} className={classes.expanded}>
            <StudentExpanded student={student} />
          </td>
        </tr>
      )}
    </>
  );
}

const texts: Record<StudentColumn, (student: Student) => string> = {
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  country: ({ country }) => countryName(country),
  applications: ({ applications: [first, ...others] }) =>
    first === undefined
      ? ""
      : `${applicationName(first)}: ${stateLabels[first.state]}${others.length > 0 ? `, and ${others.length} more` : ""}`,
  documents: ({ documents }) => `${documents.uploaded} of ${documentKinds.length}`,
  progress: ({ progress }) => `${progress.overall}%`,
  deposit: ({ deposit }) => (deposit ? `${moneyText(deposit)} by ${dayWords(deposit.due)}` : ""),
};

/**
 * The progress in a row of a narrow screen, where rows are blocks. The table has no room for it and shows it once the
 * row is opened.
 */
const ProgressCell = ({ student: { progress, documents } }: { student: Student }) => (
  <>
    <ProgressBar label="Progress" percentage={progress.overall} />
    <p className={classes.files}>
      {documents.uploaded} of {documentKinds.length} documents
      {documents.toReview > 0 && (
        <>
          <span className={classes.dot}> · </span>
          <strong>{documents.toReview} to review</strong>
        </>
      )}
    </p>
  </>
);

type RowButtonProps = { label: string; about: string; onClick: () => void; disabled?: boolean };

/** `about` is the accessible label: it adds the student's name for people who can't see the row. */
const RowButton = ({ label, about, ...button }: RowButtonProps) => (
  <Button size="compact-sm" variant="default" className={classes.button} aria-label={about} {...button}>
    {label}
  </Button>
);
