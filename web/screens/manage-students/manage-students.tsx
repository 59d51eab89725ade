import { useState } from "react";
import type { StudentRow } from "#contract/students.ts";
import { isApprovedAgent } from "#domain/permission.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useLive } from "../../lib/use-live.ts";
import { useViewer } from "../../lib/viewer.ts";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Page } from "../../ui/page.tsx";
import { AssignDialog } from "./assign-dialog.tsx";
import { ShortlistDialog } from "./shortlist-dialog.tsx";
import { StudentApplications } from "./student-applications.tsx";
import { StudentList, useStudents } from "./student-list.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useListView } from "./use-list-view.ts";
import { type RowActions, useChange, useDisabling } from "./use-row-actions.ts";

export const meta = () => pageMeta("Manage Students");

const words = { one: "student", many: "students", none: "No students match" };

type Asked = { student: StudentRow; about: "shortlist" | "assign" | "applications" };

/** Every student, with the assigned agent and what can be done. It follows what others change. */
export default function ManageStudents() {
  // One's own students at once, all others soon.
  useLive("dashboard");
  useLive("students");
  const viewer = useViewer();
  const [view, onChange] = useListView();
  const found = useStudents(view);
  const [asked, setAsked] = useState<Asked | null>(null);
  const change = useChange();
  const disabling = useDisabling(change);
  /**
   * As they are now: somebody may have changed them while a dialog was open. When the list is asked for anew and does not
   * have them any more, as they were when it was opened.
   */
  const current = (id: string | null) =>
    found.students?.find((student) => student.id === id) ?? (asked?.student.id === id ? asked.student : null);
  const close = () => setAsked(null);
  const actions: RowActions = {
    toggle: ({ id }) => onChange({ student: view.student === id ? null : id }),
    shortlist: (student) => setAsked({ student, about: "shortlist" }),
    applications: (student) => {
      setAsked({ student, about: "applications" });
      onChange({ student: student.id, show: "applications" });
    },
    assign: (student) => setAsked({ student, about: "assign" }),
    setDisabled: disabling.ask,
    pending: change.pending,
  };
  /** In place of the agent whom the dialog showed when it was opened: whoever came since is reported, not replaced. */
  const assign = (agentId: string | null) => {
    if (asked) change.carryOut({ kind: "agent", student: asked.student, agentId }, close);
  };
  return (
    <Page wide title="Manage Students">
      <Toolbar view={view} isAgent={viewer !== null && isApprovedAgent(viewer)} onChange={onChange} />
      <ListStatus
        count={found.isPlaceholderData ? null : (found.students?.length ?? null)}
        more={found.hasNextPage}
        words={words}
        shown={found.students?.length !== 0}
      />
      <StudentList found={found} view={view} actions={actions} onChange={onChange} />
      <ShortlistDialog student={asked?.about === "shortlist" ? asked.student : null} onClose={close} />
      <AssignDialog
        student={asked?.about === "assign" ? current(asked.student.id) : null}
        busy={change.busy}
        onAssign={assign}
        onClose={close}
      />
      <StudentApplications
        student={view.show === "applications" ? current(view.student) : null}
        onClose={() => onChange({ show: null })}
      />
      <ConfirmModal question={disabling.question} onConfirm={disabling.confirm} onCancel={disabling.cancel} />
      <ErrorModal title="Error" error={change.failure} onClose={change.clearFailure} />
    </Page>
  );
}
