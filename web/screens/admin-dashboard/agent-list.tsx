import { useInfiniteQuery } from "@tanstack/react-query";
import type { AgentCard as Agent } from "#contract/agents.ts";
import type { AgentTab } from "#domain/agent-approval.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import classes from "./agent-card.module.css";
import { AgentCard } from "./agent-card.tsx";
import type { Decided as About } from "./decisions.ts";
import type { Decided } from "./use-decide.ts";

const empty: Record<AgentTab, { title: string; text: string }> = {
  pending: {
    title: "No pending agent applications.",
    text: "Agents are listed here as soon as they sign up.",
  },
  approved: {
    title: "No approved agents yet.",
    text: "Agents are listed here once their application is approved.",
  },
  former: {
    title: "No revoked, denied or disabled agents.",
    text: "Agents who lose access appear here and can be reinstated.",
  },
};

const agentsQuery = (tab: AgentTab, search: string) =>
  api.agents.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ tab, search, cursor }),
    ...paged,
  });

type AgentListProps = {
  tab: AgentTab;
  search: string;
  onSearch: (search: string) => void;
  pending: string | null;
  onDecide: (decided: Decided) => void;
  onHandOver: (agent: Agent) => void;
};

/** An agent as a tab's list has them by now; as they were where they have left it. */
export function useCurrent(tab: AgentTab, search: string, agent: About | null): About | null {
  const { data } = useInfiniteQuery(agentsQuery(tab, search));
  return data?.pages.flatMap(({ agents }) => agents).find(({ id }) => id === agent?.id) ?? agent;
}

/** The agents of one tab, newest first, a page at a time. */
export function AgentList({ tab, search, onSearch, pending, onDecide, onHandOver }: AgentListProps) {
  const query = useInfiniteQuery(agentsQuery(tab, search));
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  const agents = data.pages.flatMap((page) => page.agents);
  if (agents.length === 0 && search.trim() !== "")
    return (
      <EmptyState
        title="No agents found"
        text={`No agent here matches “${search}”. Try part of a name, agency or email address.`}
      >
        <Button variant="default" onClick={() => onSearch("")}>
          Clear search
        </Button>
      </EmptyState>
    );
  if (agents.length === 0) return <EmptyState {...empty[tab]} />;
  return (
    <>
      <div className={classes.cards}>
        {agents.map((agent) => (
          <AgentCard
            key={agent.id}
            agent={agent}
            busy={pending === agent.id}
            onDecide={(decision) => onDecide({ decision, agent })}
            onHandOver={() => onHandOver(agent)}
          />
        ))}
      </div>
      <ShowMore query={query} />
    </>
  );
}

const counted = { one: "agent", many: "agents", none: "No agents" };

/** For readers: what the list of a tab shows. */
export function AgentCount({ tab, search }: { tab: AgentTab; search: string }) {
  const { data, hasNextPage } = useInfiniteQuery(agentsQuery(tab, search));
  const count = data?.pages.reduce((sum, { agents }) => sum + agents.length, 0) ?? null;
  return <ListStatus count={count} more={hasNextPage} words={counted} />;
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
