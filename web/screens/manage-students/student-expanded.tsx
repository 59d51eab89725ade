import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { StudentDetails, StudentRow } from "#contract/students.ts";
import { countryName } from "#domain/country.ts";
import { documentLabel } from "#domain/document.ts";
import { isResponsibleFor, mayActOnBehalf, maySeePapers } from "#domain/permission.ts";
import { genderLabel, identityFields, isGender, profileLabel } from "#domain/profile.ts";
import { writePath } from "#protocol/addresses.ts";
import { download } from "../../lib/download.ts";
import { formatDate } from "../../lib/format-date.ts";
import { api } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { Notes } from "../notes/notes.tsx";
import { StudentPlanSection } from "../plan/student-plan.tsx";
import { ProfileDialog } from "../profile/personal-details.tsx";
import { badgeOf } from "../student-documents/slot-row.tsx";
import { StudentsRecord } from "../study-record/record-section.tsx";
import { StudentDocuments } from "./student-documents.tsx";
import classes from "./student-expanded.module.css";

const detailsQuery = (studentId: string) => api.students.details.queryOptions({ input: { studentId } });

type StudentExpandedProps = { student: Pick<StudentRow, "id" | "name" | "agent"> };

/** Everything about a student except the applications, for an open row and an admin's page of an account. */
export function StudentExpanded({ student: { id, name, agent } }: StudentExpandedProps) {
  const viewer = useViewer();
  const { data, error, refetch } = useQuery(detailsQuery(id));
  if (!data && error)
    return (
      <div className={classes.panel}>
        <Retry error={error} onRetry={() => void refetch()} />
      </div>
    );
  const assignedAgentId = agent?.id ?? null;
  const sharingStoppedAt = data?.sharingStoppedAt ?? null;
  const sharing = { id, assignedAgentId, sharingStoppedAt };
  const isResponsible = viewer !== null && isResponsibleFor(viewer, { id, assignedAgentId });
  const actsOnBehalf = viewer !== null && mayActOnBehalf(viewer, sharing);
  const seesPapers = viewer !== null && maySeePapers(viewer, sharing);
  return (
    <div className={classes.panel}>
      {data ? <AtAGlance details={data} /> : <Skeleton h={120} label={`Loading ${name}`} />}
      {sharingStoppedAt && (
        <Notice>
          {viewer?.id === assignedAgentId
            ? `${name} stopped sharing their papers with you on ${formatDate(sharingStoppedAt)}. You still see and move their applications.`
            : `${name} stopped sharing their papers with ${agent?.name ?? "their agent"} on ${formatDate(sharingStoppedAt)}.`}
        </Notice>
      )}
      {viewer !== null && isResponsibleFor(viewer, { id, assignedAgentId }) && (
        <p className={classes.write}>
          <TextLink to={writePath({ student: id })}>Write a message</TextLink>
        </p>
      )}
      {seesPapers && <StudentDocuments studentId={id} mayUpload={actsOnBehalf} />}
      {isResponsible && <StudentPlanSection studentId={id} mayUpload={actsOnBehalf} />}
      {!seesPapers && data && <DocumentStates documents={data.documents} />}
      {seesPapers && (
        <IdentityDetails studentId={id}>{actsOnBehalf && <FillIn student={{ id, name }} />}</IdentityDetails>
      )}
      {seesPapers && <StudentsRecord student={{ id, name }} mayChange={actsOnBehalf} />}
      {isResponsible && <Notes studentId={id} />}
    </div>
  );
}

const amount = (number: number, one: string) => `${number} ${number === 1 ? one : `${one}s`}`;

/** The facts that every approved agent may know: agent, counts and progress. */
function AtAGlance({
  details: { agent, shortlistItems, applications, progress },
}: {
  details: StudentDetails;
}) {
  return (
    <>
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
      <div className={classes.bars}>
        <ProgressBar label="Overall" percentage={progress.overall} />
        <ProgressBar label="Profile complete" percentage={progress.profile} />
        <ProgressBar label="Documents uploaded" percentage={progress.documents} />
      </div>
    </>
  );
}

/** The six slots, each with its state only: the files are for the assigned agent and admins. */
const DocumentStates = ({ documents }: Pick<StudentDetails, "documents">) => (
  <dl className={classes.facts} aria-label="Documents">
    {documents.map(({ kind, state }) => (
      <div key={kind}>
        <dt>{documentLabel[kind]}</dt>
        <dd>{badgeOf(state).words}</dd>
      </div>
    ))}
  </dl>
);

/**
 * The fields that only the assigned agent and admins see, and only on request. They are fetched by a mutation and not
 * by a query: every access is recorded in the audit log, so none may happen without a request.
 */
function IdentityDetails({ studentId, children }: { studentId: string; children: ReactNode }) {
  const { data, error, isPending, mutate, reset } = useMutation(api.students.identity.mutationOptions());
  return (
    <div className={classes.identity}>
      {data && (
        <dl className={classes.facts} aria-label="Identity details">
          {identityFields.map((field) => (
            <div key={field}>
              <dt>{profileLabel[field]}</dt>
              <dd>{formatDetail(field, data[field])}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={classes.buttons}>
        <Button
          size="compact-md"
          variant="default"
          disabled={isPending}
          onClick={() => (data ? reset() : mutate({ studentId }))}
        >
          {data ? "Hide identity details" : isPending ? "Loading..." : "Show identity details"}
        </Button>
        {children}
        <SaveStudentFile studentId={studentId} />
      </div>
      <ErrorModal title="Error" error={error} onClose={reset} />
    </div>
  );
}

/** Opens the student's profile for the assigned agent to fill in. */
function FillIn({ student }: { student: { id: string; name: string } }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="compact-md" variant="default" aria-haspopup="dialog" onClick={() => setOpened(true)}>
        Fill in profile
      </Button>
      <ProfileDialog whose="student" student={student} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

const dates: ReadonlySet<string> = new Set(["dateOfBirth", "passportExpiry"]);

function formatDetail(field: string, text: string): string {
  if (text === "") return "Not given yet";
  if (field === "gender" && isGender(text)) return genderLabel[text];
  if (field === "citizenship") return countryName(text);
  // A calendar date is the same in every time zone.
  return dates.has(field) ? formatDate(new Date(`${text}T00:00`)) : text;
}

/** Saves a student's stored details, to read or print, and their documents as one ZIP file. */
function SaveStudentFile({ studentId }: { studentId: string }) {
  const { error, isPending, mutate, reset } = useMutation(
    api.students.fileLink.mutationOptions({ onSuccess: ({ url }) => download(url) }),
  );
  return (
    <>
      <Button size="compact-md" variant="default" disabled={isPending} onClick={() => mutate({ studentId })}>
        {isPending ? "Preparing..." : "Save student file"}
      </Button>
      <ErrorModal title="Error" error={error} onClose={reset} />
    </>
  );
}
