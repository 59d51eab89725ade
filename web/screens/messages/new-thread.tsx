import { useQuery } from "@tanstack/react-query";
import { Navigate } from "react-router";
import { threadPath } from "#protocol/addresses.ts";
import { useQueryOfAddress } from "../../lib/hydration.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { isRefused, openQuery } from "./thread.tsx";
import { ConversationFailure, ConversationPage, ConversationSkeleton } from "./thread-page.tsx";

export const meta = () => pageMeta("New conversation");

/** A conversation before its first message. Once that is sent, the conversation has its own address. */
export default function NewThread() {
  const params = useQueryOfAddress();
  const { data, error, refetch } = useQuery(
    openQuery({ studentId: params.get("student") ?? "", applicationId: params.get("application") }),
  );
  if (data?.thread) return <Navigate replace to={threadPath(data.thread.id)} />;
  if (data && !isRefused(error)) return <ConversationPage opened={data} />;
  return error ? (
    <ConversationFailure error={error} onRetry={() => void refetch()} />
  ) : (
    <ConversationSkeleton />
  );
}
