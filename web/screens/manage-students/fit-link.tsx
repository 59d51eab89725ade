import { isAdmin, mayManageStudents } from "#domain/permission.ts";
import { useViewer } from "../../lib/viewer.ts";
import { LinkButton } from "../../ui/button.tsx";

/** Leads staff from a programme, or one of its intakes, to the students who fit it; nothing for anybody else. */
export function FitLink({ programmeId, intakeId }: { programmeId: string; intakeId: string | null }) {
  const viewer = useViewer();
  if (viewer === null || !mayManageStudents(viewer)) return null;
  const query = new URLSearchParams({
    fits: programmeId,
    ...(intakeId !== null && { fitsIntake: intakeId }),
  });
  return (
    <LinkButton primary fullWidth to={`/manage-students?${query}`}>
      {isAdmin(viewer) ? "Which students fit?" : "Which of my students fit?"}
    </LinkButton>
  );
}
