import {
  IconChartBar,
  IconCircle,
  IconCircleCheckFilled,
  IconFileText,
  IconFolder,
  IconId,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Viewer } from "#contract/account.ts";
import type { Application } from "#contract/applications.ts";
import { applicationName } from "#domain/application-notification.ts";
import { byUrgency } from "#domain/application-step.ts";
import { type DocumentState, documentLabel } from "#domain/document.ts";
import { profileLabel } from "#domain/profile.ts";
import { countsAsUploaded, progressFields } from "#domain/progress.ts";
import { writePath } from "#protocol/addresses.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { formatDate } from "../../lib/format-date.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EnteredBy } from "../../ui/entered-by.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ApplicationStateBadge } from "../application/application-list.tsx";
import { type ApplicationsAt, applicationsQuery } from "../application/applications.tsx";
import type { Dashboard } from "./next-step.ts";
import { OwnAgent } from "./own-agent.tsx";
import classes from "./student-dashboard.module.css";

type ProfileCardProps = { viewer: Viewer; dashboard: Dashboard; onOpen: () => void };

/** The student's contact details, and the assigned agent. */
export function ProfileCard({ viewer, dashboard, onOpen }: ProfileCardProps) {
  const { agent } = dashboard;
  return (
    <Card
      title="Profile"
      icon={<IconId />}
      action={
        <Button variant="default" size="md" aria-haspopup="dialog" onClick={onOpen}>
          Update Personal Details
        </Button>
      }
    >
      <dl className={classes.facts}>
        <dt>Name</dt>
        <dd>{`${viewer.firstName} ${viewer.lastName}`}</dd>
        <dt>Email</dt>
        <dd>{viewer.email}</dd>
        <dt>Phone</dt>
        <dd>{viewer.phone || "Not given yet"}</dd>
        <dt>Agent</dt>
        <dd>{agent ? <AgentFacts agent={agent} /> : "No agent assigned yet."}</dd>
        {dashboard.entries.length > 0 && (
          <>
            <dt>Entered for you</dt>
            <dd>
              <ul aria-label="Entered for you">
                {dashboard.entries.slice(0, mostEntries).map(({ by, at, fields }) => (
                  <li key={at.getTime()}>
                    <EnteredBy by={by} at={at} />: {inWords(fields)}
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
        <dt>Questions</dt>
        <dd>
          <TextLink to={writePath({ student: viewer.id })}>Write a message</TextLink>
        </dd>
      </dl>
      {agent && <OwnAgent agent={agent} dashboard={dashboard} />}
    </Card>
  );
}

/** Maximum number of saves by others in the card; the profile lists all. */
const mostEntries = 2;

const inWords = (fields: Dashboard["entries"][number]["fields"]): string =>
  fields.length > 3 ? `${fields.length} details` : fields.map((field) => profileLabel[field]).join(", ");

function AgentFacts({ agent }: { agent: NonNullable<Dashboard["agent"]> }) {
  return (
    <ul aria-label="Your agent">
      <li>{agent.name}</li>
      {agent.agency && <li>{agent.agency}</li>}
      <li>
        <TextLink to={`mailto:${agent.email}`}>{agent.email}</TextLink>
      </li>
      {agent.phone && (
        <li>
          <TextLink to={`tel:${agent.phone.replace(/[^\d+]/g, "")}`}>{agent.phone}</TextLink>
        </li>
      )}
    </ul>
  );
}

/** Maximum number of applications in the card; the modal lists all. */
const mostListed = 5;

type ApplicationsCardProps = {
  /** The number of applications. */
  count: number;
  onOpen: (at: ApplicationsAt) => void;
};

/** The states of the applications. Start and View open the same modal, at its form and at its list. */
export function ApplicationsCard({ count, onOpen }: ApplicationsCardProps) {
  return (
    <Card
      title="Your Applications"
      icon={<IconFileText />}
      action={
        <div className={classes.buttons}>
          <Button variant="default" size="md" aria-haspopup="dialog" onClick={() => onOpen("form")}>
            Start Application
          </Button>
          <Button variant="default" size="md" aria-haspopup="dialog" onClick={() => onOpen("list")}>
            View Applications
          </Button>
        </div>
      }
    >
      {count === 0 ? <p className={classes.words}>You haven't applied yet.</p> : <Listed onOpen={onOpen} />}
      <p className={classes.words}>
        Courses you and your agent are considering are on your <TextLink to="/shortlist">Shortlist</TextLink>.
      </p>
    </Card>
  );
}

function Listed({ onOpen }: Pick<ApplicationsCardProps, "onOpen">) {
  const { data } = useQuery(applicationsQuery);
  if (!data)
    return (
      <Waiting gap="xs" label="Loading your applications">
        <Skeleton h={44} />
        <Skeleton h={44} />
        <Skeleton h={44} />
      </Waiting>
    );
  const applications = data.applications.toSorted(byUrgency);
  const rest = applications.length - mostListed;
  return (
    <>
      <ul className={classes.applications}>
        {applications.slice(0, mostListed).map((each) => (
          <Row key={each.id} application={each} onOpen={() => onOpen({ applicationId: each.id })} />
        ))}
      </ul>
      {rest > 0 && <p className={classes.words}>and {rest} more</p>}
    </>
  );
}

function Row({ application, onOpen }: { application: Application; onOpen: () => void }) {
  const { state, updatedAt } = application;
  return (
    <li ref={passFocusOn} className={classes.application}>
      <button type="button" className={classes.program} aria-haspopup="dialog" onClick={onOpen}>
        {applicationName(application)}
      </button>
      <ApplicationStateBadge state={state} />
      <span className={classes.when}>Updated {formatDate(updatedAt)}</span>
    </li>
  );
}

const stateWords: Record<DocumentState, string> = {
  uploaded: "Uploaded",
  approved: "Approved",
  rejected: "Rejected",
};

type Slot = Dashboard["documents"][number];

/** The six documents, each with a tick if uploaded or a circle if pending. */
export function DocumentsCard({ documents, onOpen }: { documents: readonly Slot[]; onOpen: () => void }) {
  return (
    <Card
      title="Documents"
      icon={<IconFolder />}
      action={
        <Button variant="default" size="md" aria-haspopup="dialog" onClick={onOpen}>
          Upload Documents
        </Button>
      }
    >
      <ul className={classes.documents}>
        {documents.map((slot) => (
          <Document key={slot.kind} slot={slot} />
        ))}
      </ul>
      <p className={classes.words}>
        <TextLink to="/who-looked">Who looked at your papers</TextLink>
      </p>
    </Card>
  );
}

function Document({ slot: { kind, state, reason, enteredBy } }: { slot: Slot }) {
  const isUploaded = countsAsUploaded(state);
  const Icon = isUploaded ? IconCircleCheckFilled : IconCircle;
  return (
    <li className={classes.document} data-there={isUploaded || undefined}>
      <Icon size={20} aria-hidden className={classes.mark} />
      <span>{documentLabel[kind]}</span>
      <span className={classes.state} data-state={state}>
        {state === null ? "Pending" : stateWords[state]}
      </span>
      {reason && <span className={classes.reason}>{reason}</span>}
      {enteredBy && (
        <span className={classes.entered}>
          <EnteredBy {...enteredBy} />
        </span>
      )}
    </li>
  );
}

/** Three bars, each with its number and a label. */
export function ProgressCard({
  dashboard: { progress, missingFields, documents },
}: {
  dashboard: Dashboard;
}) {
  const filledFields = progressFields.length - missingFields.length;
  const uploaded = documents.filter(({ state }) => countsAsUploaded(state)).length;
  return (
    <Card title="Progress" icon={<IconChartBar />}>
      <div className={classes.bars}>
        <ProgressBar label="Overall" percentage={progress.overall} />
        <div>
          <ProgressBar label="Profile complete" percentage={progress.profile} />
          <p className={classes.counted}>
            {filledFields} of {progressFields.length} details filled in
          </p>
        </div>
        <div>
          <ProgressBar label="Documents uploaded" percentage={progress.documents} />
          <p className={classes.counted}>
            {uploaded} of {documents.length} documents
          </p>
        </div>
      </div>
    </Card>
  );
}
