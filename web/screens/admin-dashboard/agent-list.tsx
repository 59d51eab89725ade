import { Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { AgentTab } from "#domain/agent-approval.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { AgentCard } from "./agent-card.tsx";
import classes from "./agent-list.module.css";
import type { Decided } from "./use-decide.ts";

/** Spec 2 has the first two to the letter. */
const empty: Record<AgentTab, string> = {
  pending: "No pending agent applications.",
  approved: "No approved agents yet.",
  former: "No revoked, denied or disabled agents.",
};

const firstPage: string | undefined = undefined;

export const agentsQuery = (tab: AgentTab) =>
  api.agents.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ tab, cursor }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

type AgentListProps = { tab: AgentTab; underWay: string | null; onDecide: (decided: Decided) => void };

/** The agents of one tab, newest first, a page at a time. */
export function AgentList({ tab, underWay, onDecide }: AgentListProps) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    agentsQuery(tab),
  );
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  const agents = data.pages.flatMap((page) => page.agents);
  if (agents.length === 0) return <Text className={classes.empty}>{empty[tab]}</Text>;
  return (
    <>
      {agents.map((agent) => (
        <AgentCard
          key={agent.id}
          agent={agent}
          busy={underWay === agent.id}
          onDecide={(decision) => onDecide({ decision, agent })}
        />
      ))}
      {hasNextPage && (
        <Button variant="default" apart disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Loading..." : "Show more"}
        </Button>
      )}
    </>
  );
}

function ListSkeleton() {
  return (
    <Waiting label="Loading agents">
      <Skeleton h={92} />
      <Skeleton h={92} />
      <Skeleton h={92} />
    </Waiting>
  );
}
