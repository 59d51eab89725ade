import { IconFileText } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Application } from "#contract/applications.ts";
import { byUrgency } from "#domain/application-order.ts";
import { formatDate } from "../../lib/format-date.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ApplicationStateBadge } from "../application/application-state.tsx";
import { applicationsQuery } from "../application/applications.tsx";
import type { ApplicationsAt } from "../application/sought.ts";
import classes from "./student-dashboard.module.css";

/** Applications that the card lists; the others are in the modal. */
const mostListed = 5;

type ApplicationsCardProps = {
  /** How many there are. */
  count: number;
  onOpen: (at: ApplicationsAt) => void;
};

/** Where each application stands. Start and View open the same modal, at its form and at its list. */
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
  if (!data) return <Skeleton h={160} mt={10} label="Loading your applications" />;
  const applications = data.applications.toSorted(byUrgency);
  const left = applications.length - mostListed;
  return (
    <>
      <ul className={classes.applications}>
        {applications.slice(0, mostListed).map((each) => (
          <Row key={each.id} application={each} onOpen={() => onOpen({ applicationId: each.id })} />
        ))}
      </ul>
      {left > 0 && <p className={classes.words}>and {left} more</p>}
    </>
  );
}

function Row({ application, onOpen }: { application: Application; onOpen: () => void }) {
  const { program, state, updatedAt } = application;
  return (
    <li className={classes.application}>
      <button type="button" className={classes.program} aria-haspopup="dialog" onClick={onOpen}>
        {program}
      </button>
      <ApplicationStateBadge state={state} />
      <span className={classes.when}>Updated {formatDate(updatedAt)}</span>
    </li>
  );
}
