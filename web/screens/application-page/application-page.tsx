import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useParams } from "react-router";
import type { Application } from "#contract/applications.ts";
import { intakeName, studyCountries } from "#domain/application.ts";
import { applicationName } from "#domain/application-notification.ts";
import type { Mover } from "#domain/application-step.ts";
import { countryName } from "#domain/country.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { pipelineOf } from "#domain/pipeline.ts";
import { formatDate } from "../../lib/format-date.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { api, type rpc } from "../../lib/rpc.ts";
import { useTitle } from "../../lib/use-title.ts";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ApplicationStateBadge, LastNote, mayHaveOffer, Steps } from "../application/application-list.tsx";
import { OwnSteps, StaffSteps, useMove } from "../application/application-steps.tsx";
import { Confirmation, isAboutToBeSent } from "../application/confirmation.tsx";
import { StudentDocuments } from "../manage-students/student-documents.tsx";
import { Thread } from "../messages/thread.tsx";
import { NoteBox } from "../notes/notes.tsx";
import { OfferSection } from "../offers/offer-section.tsx";
import { DueThings } from "../plan/due-things.tsx";
import { StudentPlan } from "../plan/student-plan.tsx";
import classes from "./application-page.module.css";
import { FromCatalogue } from "./from-catalogue.tsx";
import { OwnDocuments } from "./own-documents.tsx";
import { Pipeline } from "./pipeline.tsx";

export const meta = () => pageMeta("Application");

type OneApplication = Awaited<ReturnType<typeof rpc.applications.read>>;

/** Everything about one application in one place, for its student and for staff. */
export default function ApplicationPage() {
  const { applicationId = "" } = useParams();
  useLive("dashboard");
  useLive("students");
  const { data, error, refetch } = useQuery(api.applications.read.queryOptions({ input: { applicationId } }));
  useTitle(data ? applicationName(data.application) : "Application");
  // `data` keeps the former answer when a later one says that it may no longer be seen.
  if (error && friendlyError(error).code === "not-found") return <Missing />;
  if (data) return <Loaded {...data} />;
  return (
    <Page title="Application">
      {error ? <Retry error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Page>
  );
}

function Loaded({ application, student, mover, endedFrom }: OneApplication) {
  const moving = useMove();
  const isOwn = mover === "student";
  const isStaff = mover === "agent" || mover === "admin";
  return (
    <Page
      title={application.program}
      lead={<Lead application={application} student={isOwn ? null : student} />}
    >
      <div className={classes.state}>
        <ApplicationStateBadge state={application.state} />
        <span className={classes.since}>since {formatDate(application.updatedAt)}</span>
      </div>
      <Pipeline stages={pipelineOf(application.state, endedFrom)} />
      {isOwn && <DueThings applicationId={application.id} />}
      <div className={classes.columns}>
        <div className={classes.main}>
          {(mover || application.note) && (
            <PageSection title="Next step">
              <LastNote application={application} />
              {[application.state, endedFrom].some(mayHaveOffer) && (
                <OfferSection applicationId={application.id} level={3} />
              )}
              <Acts application={application} mover={mover} moving={moving} />
            </PageSection>
          )}
          {mover && (
            <PageSection title="Conversation">
              <Thread studentId={student.id} applicationId={application.id} />
            </PageSection>
          )}
          {isOwn && (
            <PageSection title="Your documents">
              <OwnDocuments studentId={student.id} />
            </PageSection>
          )}
          {isStaff && (
            <PageSection title="Requests and tasks">
              <StudentPlan studentId={student.id} applicationId={application.id} />
            </PageSection>
          )}
          {isStaff && (
            <PageSection title="Documents">
              <StudentDocuments studentId={student.id} mayUpload={mover === "agent"} />
            </PageSection>
          )}
          {isStaff && (
            <PageSection title="Notes">
              <NoteBox studentId={student.id} applicationId={application.id} />
            </PageSection>
          )}
        </div>
        <div className={classes.aside}>
          <PageSection title="What was applied for">
            <Facts application={application} />
            {application.programme && (
              <FromCatalogue programme={application.programme} intakeId={application.intakeId} />
            )}
            {mover && !isAboutToBeSent(application.state) && (
              <Confirmation application={application} mover={mover} heading="h3" />
            )}
          </PageSection>
          <PageSection title="Timeline">
            <Steps applicationId={application.id} />
          </PageSection>
        </div>
      </div>
      <ErrorModal title="Application Error" error={moving.failure} onClose={moving.clearFailure} />
    </Page>
  );
}

type LeadProps = { application: Application; student: OneApplication["student"] | null };

/** Distinguishes two applications to one programme, and names the student for staff. */
function Lead({ application: { university, startDate, year }, student }: LeadProps) {
  const what = [university, `${intakeName[startDate]}${year === null ? "" : ` ${year}`}`].filter(Boolean);
  return (
    <>
      {what.join(" · ")}
      {student && (
        <>
          {" · "}
          <TextLink
            to={`/manage-students?${new URLSearchParams({ search: student.name, student: student.id }).toString()}`}
          >
            {student.name}
          </TextLink>
        </>
      )}
    </>
  );
}

type ActsProps = { application: Application; mover: Mover | null; moving: ReturnType<typeof useMove> };

function Acts({ application, mover, moving }: ActsProps) {
  if (mover === null) return null;
  return (
    <>
      {isAboutToBeSent(application.state) && (
        <Confirmation application={application} mover={mover} heading="h3" />
      )}
      {mover === "student" ? (
        <OwnSteps application={application} moving={moving} />
      ) : (
        <StaffSteps mover={mover} application={application} moving={moving} />
      )}
    </>
  );
}

/** A part of the page under its heading. */
function PageSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <h2 id={id} className={classes.heading}>
        {title}
      </h2>
      {children}
    </section>
  );
}

function Facts({ application }: { application: Application }) {
  const { highestStudyLevel, countries, startDate, year, university, additionalInfo, createdAt } =
    application;
  const where =
    countries.length === studyCountries.length ? "All countries" : countries.map(countryName).join(", ");
  const facts: [string, string][] = [
    ["University", university || "Not said"],
    ["Start date", year === null ? startDate : `${startDate}, ${year}`],
    ["Highest study level", highestStudyLevel],
    ["Countries", where],
    ["Submitted", formatDate(createdAt)],
  ];
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {additionalInfo && <p className={classes.more}>{additionalInfo}</p>}
    </>
  );
}

const Missing = () => (
  <Page title="Application">
    <EmptyState
      title="Application not found"
      text="The link may be wrong, or the application isn't yours to see."
    >
      <LinkButton to="/">Go to the home page</LinkButton>
    </EmptyState>
  </Page>
);

const Loading = () => (
  <Waiting label="Loading the application">
    <Skeleton h={72} />
    <Skeleton h={240} mt={24} />
  </Waiting>
);
