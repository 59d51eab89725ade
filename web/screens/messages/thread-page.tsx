import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import type { OpenedThread } from "#contract/conversations.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { studentPath } from "#protocol/addresses.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { Conversation, isRefused, threadQuery } from "./thread.tsx";
import { subjectOf } from "./thread-words.ts";

export const meta = () => pageMeta("Conversation");

/** One conversation on a page of its own. */
export default function ThreadPage() {
  const { threadId = "" } = useParams();
  const { data, error, refetch } = useQuery(threadQuery(threadId));
  if (data && !isRefused(error)) return <ConversationPage key={threadId} opened={data} />;
  return error ? (
    <ConversationFailure error={error} onRetry={() => void refetch()} />
  ) : (
    <ConversationSkeleton />
  );
}

/** A conversation with a headline that names its subject and the other party. */
export function ConversationPage({ opened }: { opened: OpenedThread }) {
  const viewer = useViewer();
  const { student, application, agent } = opened;
  const subject = subjectOf(application);
  const isStudent = viewer?.role === "student";
  return (
    <Page
      narrow
      title={isStudent ? subject : student.name}
      lead={
        <>
          {isStudent ? agent && `With ${agent.name} · ` : `${subject} · `}
          {!isStudent && (
            <>
              <TextLink to={studentPath(student)}>Record</TextLink>
              {" · "}
            </>
          )}
          <TextLink to="/messages">All messages</TextLink>
        </>
      }
    >
      <Conversation opened={opened} fills />
    </Page>
  );
}

export function ConversationFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!isRefused(error))
    return (
      <Page>
        <Retry error={error} onRetry={onRetry} />
      </Page>
    );
  const { code, message } = friendlyError(error);
  return (
    <Page narrow title="Conversation">
      <EmptyState
        title="This conversation isn't here"
        text={code === "permission-denied" ? message : "It may belong to another agent's student by now."}
      >
        <TextLink to="/messages">All messages</TextLink>
      </EmptyState>
    </Page>
  );
}

export const ConversationSkeleton = () => (
  <Page narrow>
    <Waiting gap="lg" label="Loading the conversation">
      <Skeleton h={40} w="min(20rem, 70%)" />
      <Skeleton h={320} />
    </Waiting>
  </Page>
);
