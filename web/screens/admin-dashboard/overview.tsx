import { useQuery } from "@tanstack/react-query";
import type { CSSProperties, ReactNode } from "react";
import { Link } from "react-router";
import { numberOfStudents, type StudentSituation, studentSituations } from "#domain/student-list.ts";
import { studentsPath } from "#protocol/addresses.ts";
import { useFormats } from "../../lib/format-date.ts";
import { api, type rpc } from "../../lib/rpc.ts";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import classes from "./overview.module.css";

/** The id of the list of agents below the overview. */
export const agentsId = "agents";

/** Milliseconds between two refetches of the figures; changes of agents refetch them immediately. */
const figuresInterval = 60_000;

export const useFigures = () =>
  useQuery({ ...api.overview.figures.queryOptions(), refetchInterval: figuresInterval });

/** The consultancy at a glance: the work that waits, and the students' progress. */
export function Overview() {
  const { data, error, refetch } = useFigures();
  const { formatDate } = useFormats();
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <Waiting label="Loading the overview" className={classes.overview}>
        <Skeleton h={168} />
        <Skeleton h={168} />
      </Waiting>
    );
  const { agents, documents, offers, auctionsEndingSoon, failedMails, failedJobs } = data;
  const since = (first: Date | null) => first && `since ${formatDate(first)}`;
  return (
    <section aria-label="Overview" className={classes.overview}>
      <ul className={classes.figures}>
        <Figure
          label="Agents waiting"
          number={agents.number}
          asks
          note={since(agents.since)}
          to={`#${agentsId}`}
        />
        <Figure
          label="Documents to review"
          number={documents.number}
          note={documents.since && `of ${numberOfStudents(documents.students)}, ${since(documents.since)}`}
          to={studentsPath({ situation: "documentsToReview" })}
        />
        <Figure
          label="Offers to answer"
          number={offers.number}
          note={offers.overdue > 0 && `${offers.overdue} overdue`}
          to="/offers"
        />
        <Figure
          label="Auctions ending soon"
          number={auctionsEndingSoon}
          note="within 24 hours"
          to="/auctions?endsWithin=24h"
        />
        <Figure
          label="Failed emails"
          number={failedMails}
          asks
          note={failedJobs > 0 && `and ${failedJobs} other ${failedJobs === 1 ? "job" : "jobs"}`}
          to="/admin/jobs"
        />
      </ul>
      <StudentsByState {...data.students} />
    </section>
  );
}

type FigureProps = {
  label: string;
  number: number;
  note?: ReactNode;
  /** Whether a number above 0 needs an admin's attention. */
  asks?: boolean;
  to: string;
};

const Figure = ({ label, number, note, asks = false, to }: FigureProps) => (
  <li className={classes.figure} data-asks={(asks && number > 0) || undefined}>
    <span className={classes.label}>
      <Link to={to}>{label}</Link>
    </span>
    <span className={classes.number}>{number}</span>
    {note && <span className={classes.note}>{note}</span>}
  </li>
);

/** Passes the length of a bar, from 0 to 1, to the style sheet. */
const shareOf = (share: number): CSSProperties & { "--share": number } => ({ "--share": share });

type StudentsByStateProps = Awaited<ReturnType<typeof rpc.overview.figures>>["students"];

/** A bar and a number for each state that has students. The chart itself is a table. */
function StudentsByState({ total, withoutApplication, byState }: StudentsByStateProps) {
  const all: { situation: StudentSituation; number: number }[] = [
    { situation: "noApplication", number: withoutApplication },
    ...byState.map(({ state, number }) => ({ situation: state, number })),
  ];
  const rows = all.filter(({ number }) => number > 0);
  const most = Math.max(1, ...rows.map(({ number }) => number));
  return (
    <div className={classes.chart}>
      <table className={classes.table}>
        <caption className={classes.caption}>
          Students by state of application{" "}
          <Link to="/manage-students" className={classes.all}>
            {numberOfStudents(total)}
          </Link>
        </caption>
        <thead className="unseen">
          <tr>
            <th scope="col">State</th>
            <th scope="col">Students</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ situation, number }) => (
            <tr key={situation} className={classes.row}>
              <th scope="row">
                <Link to={studentsPath({ situation })}>{studentSituations[situation]}</Link>
              </th>
              <td>
                <span className={classes.bar} style={shareOf(number / most)} />
                {number}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && (
        <p className={classes.note}>Students are counted here as soon as they sign up.</p>
      )}
    </div>
  );
}
