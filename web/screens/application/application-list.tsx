import type { Application } from "#contract/applications.ts";
import type { Mover } from "#domain/application-step.ts";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ApplicationItem } from "./application-item.tsx";
import { OwnSteps } from "./own-steps.tsx";
import { StaffSteps } from "./staff-steps.tsx";
import { useMove } from "./use-move.ts";

type ApplicationListProps = {
  applications: readonly Application[];
  /** As whom the viewer may move them; null for who only looks. */
  mover: Mover | null;
  /** The one that it opens at. */
  sought?: string;
};

/** The applications of one student, with what the viewer may do, and what goes wrong with the steps taken there. */
export function ApplicationList({ applications, mover, sought }: ApplicationListProps) {
  const moving = useMove();
  return (
    <>
      {applications.map((application) => (
        <ApplicationItem key={application.id} application={application} isSought={application.id === sought}>
          {mover === "student" && <OwnSteps application={application} moving={moving} />}
          {mover !== null && mover !== "student" && (
            <StaffSteps mover={mover} application={application} moving={moving} />
          )}
        </ApplicationItem>
      ))}
      <ErrorModal title="Application Error" error={moving.failure} onClose={moving.clearFailure} />
    </>
  );
}
