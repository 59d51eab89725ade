import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { stateLabels } from "#domain/application.ts";
import { applicationName } from "#domain/application-notification.ts";
import { documentLabel } from "#domain/document.ts";
import { idleAfterHours, newForDays, type StudentSituation } from "#domain/student-list.ts";
import { applicationPath, studentPath, studentsPath } from "#protocol/addresses.ts";
import { waitingLimit } from "#protocol/page-sizes.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { formatDate } from "../../lib/format-date.ts";
import { useLive } from "../../lib/live.ts";
import { api, type rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./waiting-list.module.css";

/** The tasks that wait for the agent, followed by those that wait for their students. */
export function WaitingList() {
  useLive("dashboard");
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const { data, error, refetch } = useQuery(
    api.students.waiting.queryOptions({
      input: { all: opened.size > 0 },
      placeholderData: keepPreviousData,
    }),
  );
  const expansion = { opened, onOpen: (title: string) => setOpened(new Set([...opened, title])) };
  return (
    <>
      <section className={classes.waiting} aria-labelledby="waiting">
        <h2 id="waiting" className={classes.heading}>
          Waiting for you
        </h2>
        {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton h={96} mt={12} label="Loading what's waiting for you" />}
        {data && <Groups groups={forAgent(data)} {...expansion} />}
      </section>
      {data && data.students.total > 0 && (
        <section className={classes.waiting} aria-labelledby="waiting-for-students">
          <h2 id="waiting-for-students" className={classes.heading}>
            Waiting for your students
          </h2>
          <Groups groups={forStudents(data)} {...expansion} />
        </section>
      )}
    </>
  );
}

/** `opened` has the titles of the groups that are shown in full. */
export type Expansion = { opened: ReadonlySet<string>; onOpen: (title: string) => void };

/** Shows the groups that have entries, with the first few of each initially. */
export function Groups({ groups, opened, onOpen }: Expansion & { groups: readonly WaitingGroup[] }) {
  const waiting = groups.filter(({ total }) => total > 0);
  if (waiting.length === 0) return <p className={classes.nothing}>Nothing needs your attention right now.</p>;
  return (
    <div className={classes.groups}>
      {waiting.map((group) => (
        <Group
          key={group.title}
          group={group}
          isOpened={opened.has(group.title)}
          onOpen={() => onOpen(group.title)}
        />
      ))}
    </div>
  );
}

type GroupProps = { group: WaitingGroup; isOpened: boolean; onOpen: () => void };

function Group({ group: { title, situation, entries, total }, isOpened, onOpen }: GroupProps) {
  const visibleEntries = isOpened ? entries : entries.slice(0, waitingLimit.first);
  const rest = total - visibleEntries.length;
  return (
    <div>
      <h3 className={classes.title}>
        {situation ? (
          <Link to={studentsPath({ filter: "mine", situation })} className={classes.all}>
            {title}
          </Link>
        ) : (
          title
        )}{" "}
        <span className={classes.total}>{total}</span>
      </h3>
      <ul className={classes.list} aria-label={title}>
        {visibleEntries.map(({ key, to, name, text }) => (
          <li ref={passFocusOn} key={key}>
            <Link to={to} className={classes.entry}>
              <span className={classes.name}>{name}</span>
              <span className={classes.text}>{text}</span>
            </Link>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Button variant="subtle" size="compact-md" aria-label={`and ${rest} more: ${title}`} onClick={onOpen}>
          and {rest} more
        </Button>
      )}
    </div>
  );
}

type WaitingWork = Awaited<ReturnType<typeof rpc.students.waiting>>;
export type List<Entry> = { entries: readonly Entry[]; total: number };
export type WaitingEntry = { key: string; to: string; name: string; text: ReactNode };
/** One kind of task; there may be more than its entries. Manage Students lists all students in the situation. */
type WaitingGroup = List<WaitingEntry> & { title: string; situation: StudentSituation | undefined };

/** Returns the group of one kind of work. */
export function group<Entry>(
  title: string,
  { entries, total }: List<Entry>,
  inWords: (entry: Entry) => WaitingEntry,
  situation?: StudentSituation,
): WaitingGroup {
  return { title, situation, entries: entries.map(inWords), total };
}

const ofDocuments = ({
  student,
  kinds,
  since,
}: WaitingWork["documents"]["entries"][number]): WaitingEntry => ({
  key: student.id,
  to: studentPath(student),
  name: student.name,
  text: `${kinds.map((kind) => documentLabel[kind]).join(", ")} · since ${formatDate(since)}`,
});

type WaitingApplication = WaitingWork["applications"]["entries"][number];
const ofApplication = ({ intake, ...application }: WaitingApplication): WaitingEntry => ({
  key: application.id,
  to: applicationPath(application.id),
  name: application.student.name,
  text: `${applicationName({ ...application, startDate: intake })} · ${stateLabels[application.state]} since ${formatDate(application.since)}`,
});

const ofStudent = ({ student, since }: WaitingWork["assigned"]["entries"][number]): WaitingEntry => ({
  key: student.id,
  to: studentPath(student),
  name: student.name,
  text: `Since ${formatDate(since)}`,
});

/** Groups the tasks that wait for the agent, each with a link to the place where it is done. */
const forAgent = ({ documents, applications, idle, assigned }: WaitingWork): WaitingGroup[] => [
  group("Documents to review", documents, ofDocuments, "documentsToReview"),
  group("Applications to work on", applications, ofApplication, "forAgent"),
  group(`No activity for ${idleAfterHours} hours`, idle, ofApplication),
  group(`Assigned to you in the last ${newForDays} days`, assigned, ofStudent),
];

/** Groups the tasks that wait for the agent's students. */
const forStudents = ({ students }: WaitingWork): WaitingGroup[] => [
  group("Answers and offers", students, ofApplication, "forStudent"),
];
