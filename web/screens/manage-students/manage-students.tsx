import { useState } from "react";
import type { StudentRow } from "#contract/students.ts";
import { isApprovedAgent } from "#domain/permission.ts";
import {
  type StudentFilter,
  studentColumnNames,
  studentColumns,
  studentFilters,
  studentSearchLimit,
} from "#domain/student-list.ts";
import { bulkRunsPath } from "#protocol/addresses.ts";
import { disablingQuestion, enablingQuestion } from "../../lib/disabling.ts";
import { useHydrated } from "../../lib/hydration.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Page } from "../../ui/page.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { AssignDialog } from "./assign-dialog.tsx";
import { Choosing, type StudentIds } from "./choosing.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { Filters } from "./filters.tsx";
import { FitBar } from "./fit-bar.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import classes from "./manage-students.module.css";
import { useOrigin } from "./preview.ts";
import { ApplicationsDialog, ShortlistDialog } from "./student-dialogs.tsx";
import { StudentList, useStudents } from "./student-list.tsx";
import type { About, RowActions } from "./student-row.tsx";
import tools from "./tools.module.css";
import { useChange } from "./use-change.ts";
import { columnsOf, type ListView, useListView, writeColumns } from "./use-list-view.ts";
import { ViewsDialog } from "./views-dialog.tsx";

export const meta = () => pageMeta("Manage Students");

const words = { one: "student", many: "students", none: "No students match" };

/** Every student, with the assigned agent and the viewer's actions. Changes by others appear live. */
export default function ManageStudents() {
  // Changes to the viewer's own students appear immediately, those to others soon.
  useLive("dashboard");
  useLive("students");
  const viewer = useViewer();
  const [view, onChange] = useListView();
  const list = useStudents(view);
  const [dialog, setDialog] = useState<{ student: StudentRow; about: About } | null>(null);
  const change = useChange();
  const origin = useOrigin();
  const isHydrated = useHydrated();
  // The server's HTML has nobody chosen.
  const [selection, setSelection] = useState<StudentIds>(new Set(isHydrated ? origin.chosen : []));
  const choice = { selection, onChoose: (ids: readonly string[]) => setSelection(new Set(ids)) };
  const agentName = list.students?.find(({ agent }) => agent?.id === view.agentId)?.agent?.name ?? null;
  /**
   * Returns a student's current row: another person may have changed it while a dialog was open. If a refetched list
   * no longer has the student, returns the row as of when the dialog was opened.
   */
  const current = (id: string | null) =>
    list.students?.find((student) => student.id === id) ??
    (dialog?.student.id === id ? dialog.student : null);
  /** Returns the student of the open dialog about this, as of when it was opened; null if it is closed. */
  const studentFor = (about: About) => (dialog?.about === about ? dialog.student : null);
  const close = () => setDialog(null);
  const actions: RowActions = {
    toggle: ({ id }) => onChange({ student: view.student === id ? null : id }),
    ask(student, about) {
      setDialog({ student, about });
      if (about === "applications") onChange({ student: student.id, show: "applications" });
    },
    pending: change.pending,
  };
  const disabling = studentFor("disable");
  return (
    <Page wide title="Manage Students">
      <Toolbar view={view} isAgent={viewer !== null && isApprovedAgent(viewer)} onChange={onChange} />
      <Filters view={view} agentName={agentName} onChange={onChange} />
      <FitBar view={view} fits={list.fits} onChange={onChange} />
      <Tools view={view} onChange={onChange} />
      <Choosing {...choice} view={view} total={list.total} />
      <ListStatus
        count={list.isPlaceholderData ? null : (list.total ?? list.students?.length ?? null)}
        more={list.total === null && list.hasNextPage}
        words={words}
        shown={list.students?.length !== 0}
      />
      <StudentList {...choice} list={list} view={view} actions={actions} onChange={onChange} />
      <ShortlistDialog student={studentFor("shortlist")} onClose={close} />
      <AssignDialog
        student={current(studentFor("assign")?.id ?? null)}
        busy={change.pending !== null}
        // Replaces the agent whom the dialog showed when it was opened: an agent assigned since is reported, not
        // replaced.
        onAssign={(agentId, note) => dialog && change.assign(dialog.student, { agentId, note }, close)}
        onClose={close}
      />
      <ApplicationsDialog
        student={view.show === "applications" ? current(view.student) : null}
        onClose={() => onChange({ show: null })}
      />
      <ConfirmModal
        question={disabling && (disabling.disabled ? enablingQuestion : disablingQuestion)(disabling.name)}
        onConfirm={() => {
          if (disabling) change.setDisabled(disabling, !disabling.disabled);
          close();
        }}
        onCancel={close}
      />
      <ErrorModal title="Error" error={change.failure} onClose={change.clearFailure} />
    </Page>
  );
}

const filterLabels: Record<StudentFilter, string> = { all: "All", mine: "Mine", unassigned: "Unassigned" };

type ToolbarProps = {
  view: ListView;
  /** Whether to offer the viewer's own students: admins have none. */
  isAgent: boolean;
  onChange: (changes: Partial<ListView>) => void;
};

/** The toolbar above the table: a search, and the choice of all, own or unassigned students. */
function Toolbar({ view, isAgent, onChange }: ToolbarProps) {
  const offered = studentFilters.filter((filter) => isAgent || filter !== "mine");
  return (
    <div className={classes.toolbar}>
      <SearchField
        className={classes.search}
        label="Search by name, email or phone"
        placeholder="Search by name..."
        maxLength={studentSearchLimit}
        search={view.search}
        // A row that was opened before the search took effect stays open.
        onSearch={(search) => onChange({ search })}
      />
      <fieldset className={classes.filters}>
        <legend className="unseen">Show</legend>
        {offered.map((filter) => (
          <button
            key={filter}
            type="button"
            className={classes.filter}
            aria-pressed={view.filter === filter}
            onClick={() => onChange({ filter, student: null })}
          >
            {filterLabels[filter]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

type Tool = "views" | "export" | "import";

/** Saved views, columns and files of the list. */
function Tools({ view, onChange }: { view: ListView; onChange: (changes: Partial<ListView>) => void }) {
  const [open, setOpen] = useState<Tool | null>(null);
  const columns = columnsOf(view);
  const close = () => setOpen(null);
  return (
    <div className={tools.tools}>
      <Button variant="default" size="compact-md" onClick={() => setOpen("views")}>
        Saved views
      </Button>
      <Button variant="default" size="compact-md" onClick={() => setOpen("export")}>
        Export list
      </Button>
      <Button variant="default" size="compact-md" onClick={() => setOpen("import")}>
        Import
      </Button>
      <LinkButton to={bulkRunsPath} variant="subtle" size="compact-md">
        Past changes
      </LinkButton>
      <details className={tools.columnChoice}>
        <summary>Columns</summary>
        <fieldset>
          <legend className="unseen">Columns</legend>
          {studentColumnNames.map((column) => (
            <label key={column} className={tools.choice}>
              <input
                type="checkbox"
                className={tools.box}
                checked={columns.includes(column)}
                // One column has to stay: without any, the usual ones are shown.
                disabled={columns.length === 1 && columns.includes(column)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange({
                    columns: writeColumns(
                      studentColumnNames.filter((each) =>
                        each === column ? checked : columns.includes(each),
                      ),
                    ),
                  })
                }
              />
              {studentColumns[column]}
            </label>
          ))}
        </fieldset>
      </details>
      <ViewsDialog opened={open === "views"} view={view} onChange={onChange} onClose={close} />
      <ExportDialog opened={open === "export"} selection={null} view={view} onClose={close} />
      <ImportDialog opened={open === "import"} onClose={close} />
    </div>
  );
}
