import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { Link } from "react-router";
import type { DueEntry, Today as TodayWork } from "#contract/planned-work.ts";
import { stateLabels } from "#domain/application.ts";
import { applicationName } from "#domain/application-notification.ts";
import { dayWords, dueWords } from "#domain/deadline.ts";
import { applicationPath, studentPath } from "#protocol/addresses.ts";
import { formatDate } from "../../lib/format-date.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { api } from "../../lib/rpc.ts";
import { serverNow } from "../../lib/server-clock.ts";
import { useViewer } from "../../lib/viewer.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "../agent-dashboard/waiting-list.module.css";
import { Groups, group, type WaitingEntry } from "../agent-dashboard/waiting-list.tsx";
import { threadsQuery, WaitingThreads } from "../messages/waiting-threads.tsx";
import { ClockWords } from "../plan/due-text.tsx";

const title = "Today";

export const meta = () => pageMeta(title);

/** Lists the urgent work of today, each line with a link to the place where it is done. */
export default function Today() {
  const viewer = useViewer();
  useLive("dashboard");
  useLive("students");
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const { data, error, refetch } = useQuery(
    api.planner.today.queryOptions({
      input: { all: opened.size > 0 },
      placeholderData: keepPreviousData,
      refetchOnWindowFocus: "always",
    }),
  );
  const threads = useInfiniteQuery(threadsQuery("waiting")).data;
  const isNobodyWaiting = threads?.pages.every((page) => page.threads.length === 0);
  const whose = viewer?.role === "admin" ? "all" : "mine";
  const expansion = { opened, onOpen: (of: string) => setOpened(new Set([...opened, of])) };
  const lead =
    viewer?.role === "admin"
      ? "What presses most, for all students."
      : "What presses most, for your students.";
  return (
    <Page title={title} lead={lead}>
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={240} label="Loading your day" />}
      {data && isNobodyWaiting && Object.values(data).every(({ total }) => total === 0) && (
        <EmptyState
          title="Nothing presses today"
          text="What is overdue, due today or waits for a review appears here."
        />
      )}
      {data && <Work title="Due" groups={dueGroups(data, whose)} {...expansion} />}
      <section className={classes.waiting} aria-labelledby="waiting-threads">
        <h2 id="waiting-threads" className={classes.title}>
          <Link to="/messages" className={classes.all}>
            Messages to answer
          </Link>
        </h2>
        <WaitingThreads />
      </section>
      {data && <Work title="Everything else" groups={otherGroups(data, whose)} {...expansion} />}
    </Page>
  );
}

type WorkProps = ComponentProps<typeof Groups> & { title: string };

/** Groups of work under a heading for screen readers; nothing if there is no work. */
function Work({ title, groups, ...expansion }: WorkProps) {
  const headingId = useId();
  if (groups.every(({ total }) => total === 0)) return null;
  return (
    <section className={classes.waiting} aria-labelledby={headingId}>
      <h2 id={headingId} className="unseen">
        {title}
      </h2>
      <Groups groups={groups} {...expansion} />
    </section>
  );
}

type StudentScope = "mine" | "all";
type NamedStudent = { id: string; name: string };

const dueGroups = ({ overdue, dueToday }: TodayWork, whose: StudentScope) => [
  group("Overdue", overdue, inWords(whose)),
  group("Due today", dueToday, inWords(whose)),
];

const otherGroups = (
  { review, replies, quiet, passports, paused, resumed }: TodayWork,
  whose: StudentScope,
) => [
  group("Documents to review", review, ({ student, documents, since }) =>
    entry(whose, student, student.id, `${documents.join(", ")} · since ${formatDate(since)}`),
  ),
  group("Replies due in 7 days", replies, inWords(whose)),
  group("Nothing moved for 14 days", quiet, ({ student, state, since, ...application }) => ({
    key: application.applicationId,
    to: applicationPath(application.applicationId),
    name: student.name,
    text: `${applicationName(application)} · ${stateLabels[state]} since ${formatDate(since)}`,
  })),
  group("Passports that end too soon after the course", passports, ({ student, ...application }) =>
    entry(whose, student, application.applicationId, applicationName(application)),
  ),
  group("Reminders start again", resumed, ({ student, lastDay }) =>
    entry(whose, student, student.id, `Paused until ${dayOf(lastDay)}`),
  ),
  group("Reminders paused", paused, ({ student, lastDay }) =>
    entry(whose, student, student.id, `Until ${dayOf(lastDay)}`),
  ),
];

const dayOf = (day: string) => dayWords(day, String(new Date(serverNow()).getFullYear()));

const entry = (whose: StudentScope, student: NamedStudent, key: string, text: ReactNode): WaitingEntry => ({
  key,
  to: studentPath(student, undefined, whose),
  name: student.name,
  text,
});

const owners = { student: "", agent: " · agent's task", admin: " · your task" } as const;

const inWords =
  (whose: StudentScope) =>
  ({ thing, kind, student, applicationId, title, due, owner }: DueEntry): WaitingEntry => {
    const text = (
      <>
        {`${title} · ${dueWords(due, new Date(serverNow()))}, `}
        <ClockWords due={due} />
        {owners[owner]}
      </>
    );
    // Requests and tasks are handled with the student, matters of an offer on the application's page.
    const isOfOffer = kind !== "request" && kind !== "task" && applicationId !== null;
    return {
      ...entry(whose, student, thing, text),
      ...(isOfOffer && { to: applicationPath(applicationId) }),
    };
  };
