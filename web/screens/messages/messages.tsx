import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { Link } from "react-router";
import type { Viewer } from "#contract/account.ts";
import { applicationName } from "#domain/application-notification.ts";
import { writePath } from "#protocol/addresses.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { late, Nothing } from "../../ui/late.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { applicationsQuery } from "../application/applications.tsx";
import classes from "./thread-list.module.css";
import { ThreadList } from "./thread-list.tsx";
import { generalSubject } from "./thread-words.ts";
import { ThreadsSkeleton, threadsQuery, WaitingThreads } from "./waiting-threads.tsx";

const PushOffer = late(() => import("../../ui/push-offer.tsx"), Nothing);

const title = "Messages";

export const meta = () => pageMeta(title);

/** All conversations of the viewer. */
export default function Messages() {
  const viewer = useViewer();
  if (!viewer) return null;
  return viewer.role === "student" ? <StudentMessages viewer={viewer} /> : <StaffMessages />;
}

function StudentMessages({ viewer }: { viewer: Viewer }) {
  useLive("conversations");
  const query = useInfiniteQuery(threadsQuery("all"));
  const { data, error, refetch } = query;
  const threads = data?.pages.flatMap((page) => page.threads);
  return (
    <Page narrow title={title} lead="Ask your agent anything: about one application, or in general.">
      {!threads && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!threads && !error && <ThreadsSkeleton label="Loading messages" />}
      {threads && (
        <>
          {threads.length > 0 && (
            <section className={classes.section}>
              <ThreadList label="Conversations" threads={threads} viewerSide="student" />
              <ShowMore query={query} />
            </section>
          )}
          <UnusedSubjects
            studentId={viewer.id}
            begun={new Set(threads.map(({ application }) => application?.id ?? null))}
          />
        </>
      )}
      <MessagePushOffer />
    </Page>
  );
}

/** Offers push at the end of the page: it loads later than the lists, and would move them under a finger. */
const MessagePushOffer = () => (
  <div className={classes.offer}>
    <Suspense>
      <PushOffer kind="messageReceived" label="Tell me of messages" />
    </Suspense>
  </div>
);

type UnusedSubjectsProps = {
  studentId: string;
  /** The applications that have a conversation; null stands for the general one. */
  begun: ReadonlySet<string | null>;
};

/** Lists the subjects that the student hasn't written about yet. */
function UnusedSubjects({ studentId, begun }: UnusedSubjectsProps) {
  const { data } = useQuery(applicationsQuery);
  const applications = (data?.applications ?? []).filter(({ id }) => !begun.has(id));
  if (begun.has(null) && applications.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="write">
      <h2 id="write" className={classes.heading}>
        Write about
      </h2>
      <ul className={classes.subjects}>
        {!begun.has(null) && (
          <li>
            <Link className={classes.begin} to={writePath({ student: studentId })}>
              {generalSubject}
            </Link>
          </li>
        )}
        {applications.map((application) => (
          <li key={application.id}>
            <Link
              className={classes.begin}
              to={writePath({ student: studentId, application: application.id })}
            >
              {applicationName(application)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function StaffMessages() {
  return (
    <Page narrow title={title}>
      <section className={classes.section} aria-labelledby="waiting">
        <h2 id="waiting" className={classes.heading}>
          Waiting for us
        </h2>
        <WaitingThreads />
      </section>
      <section className={classes.section} aria-labelledby="others">
        <h2 id="others" className={classes.heading}>
          Other conversations
        </h2>
        <OtherThreads />
      </section>
      <MessagePushOffer />
    </Page>
  );
}

/** Minimum number of conversations to show: fewer would look as if there were no others. */
const minShown = 10;

/** The conversations that don't wait for the staff, the newest message first. */
function OtherThreads() {
  const query = useInfiniteQuery(threadsQuery("all"));
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = query;
  const all = data?.pages.flatMap((page) => page.threads);
  const others = all?.filter(({ waiting }) => waiting !== "staff");
  const isShort = others !== undefined && others.length < minShown && hasNextPage && !error;
  useEffect(() => {
    if (isShort && !isFetching) void fetchNextPage();
  }, [isShort, isFetching, fetchNextPage]);
  if (!others && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!others || (isShort && others.length === 0)) return <ThreadsSkeleton label="Loading messages" />;
  if (all?.length === 0)
    return (
      <EmptyState
        title="No messages yet"
        text="When a student writes, or you write to one from Manage Students, the conversation will appear here."
      />
    );
  if (others.length === 0) return <p className={classes.nothing}>There are no others.</p>;
  return (
    <>
      <ThreadList label="Other conversations" threads={others} viewerSide="staff" />
      <ShowMore query={query} />
    </>
  );
}
