import { IconChevronRight } from "@tabler/icons-react";
import { useId } from "react";
import type { StudentRow as Student } from "#contract/students.ts";
import { countryName } from "#domain/country.ts";
import { documentKinds } from "#domain/document.ts";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { ApplicationsAndAccount, AssignedAgent, ShortlistButton } from "./row-buttons.tsx";
import { StudentExpanded } from "./student-expanded.tsx";
import classes from "./student-row.module.css";
import type { RowActions } from "./use-row-actions.ts";

type StudentRowProps = { student: Student; opened: boolean; actions: RowActions };

/** One student: what is known at a glance, and more when the name is clicked. */
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
          {student.disabled && <StateBadge tone="asks">Disabled</StateBadge>}
        </th>
        <td className={classes.howFar}>
          <HowFar student={student} />
        </td>
        <td className={classes.email}>{email}</td>
        <td className={classes.phone} data-missing={!phone || undefined}>
          {phone || "–"}
        </td>
        <td className={classes.country} data-missing={!country || undefined}>
          {countryName(country) || "–"}
        </td>
        <td className={`${classes.action} ${classes.shortlist}`}>
          <ShortlistButton student={student} actions={actions} />
        </td>
        <td className={`${classes.action} ${classes.actions}`}>
          <ApplicationsAndAccount student={student} actions={actions} />
        </td>
        <td className={`${classes.action} ${classes.assigned}`}>
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

/** Where rows are blocks: the table has no room for it, and shows it once the row is opened. */
const HowFar = ({ student: { progress, documents } }: { student: Student }) => (
  <>
    <ProgressBar label="Progress" percentage={progress.overall} />
    <p className={classes.documents}>
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
