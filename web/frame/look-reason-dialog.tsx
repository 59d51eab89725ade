import { lookReasonLimit, lookReasonProblem } from "#domain/look.ts";
import { settleLookReason, useStudentToExplain } from "../lib/look-reason.ts";
import { rpc } from "../lib/rpc.ts";
import { ReasonDialog } from "../ui/reason-dialog.tsx";

/** Asks an admin why they open a student's papers, and then lets the waiting call continue. */
export default function LookReasonDialog() {
  const student = useStudentToExplain();
  if (!student) return null;
  return (
    <ReasonDialog
      key={student.id}
      opened
      title={`Why are you opening ${student.name}'s papers?`}
      draft={`look reason ${student.id}`}
      maxLength={lookReasonLimit}
      check={lookReasonProblem}
      send={async (reason) => {
        await rpc.looks.giveReason({ studentId: student.id, reason });
        settleLookReason(student);
      }}
      action={{ text: "Continue", busyText: "Saving..." }}
      errorTitle="Error"
      onClose={() => settleLookReason(null)}
    >
      The student will see your reason, with your name and what you opened. It holds for 30 minutes.
    </ReasonDialog>
  );
}
