import { Tabs } from "@base-ui/react/tabs";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentCard as Agent } from "#contract/agents.ts";
import { accountSearchLimit } from "#domain/account-list.ts";
import { type AgentTab, agentTabs } from "#domain/agent-approval.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import { AdminNav } from "../admin/admin-nav.tsx";
import { WorkLists } from "../manage-students/work-lists.tsx";
import classes from "./admin-dashboard.module.css";
import { AgentCard } from "./agent-card.tsx";
import { ChangeRequests, useChangeRequests } from "./change-requests.tsx";
import { DecisionDialog, useDecide } from "./decision-dialog.tsx";
import { HandOverDialog } from "./hand-over-dialog.tsx";
import { agentsId, Overview, useFigures } from "./overview.tsx";

export const meta = () => pageMeta("Admin dashboard");

/** `also` names the agents that a tab lists although its title doesn't say so. */
type TabTexts = { title: string; also?: string; empty: { title: string; text: string } };
const tabs: Record<AgentTab, TabTexts> = {
  pending: {
    title: "Pending Approvals",
    empty: {
      title: "No pending agent applications.",
      text: "Agents are listed here as soon as they sign up.",
    },
  },
  approved: {
    title: "Approved Agents",
    empty: {
      title: "No approved agents yet.",
      text: "Agents are listed here once their application is approved.",
    },
  },
  former: {
    title: "Revoked and denied",
    also: "Agents who are disabled or leaving are listed here too.",
    empty: {
      title: "No revoked, denied, disabled or leaving agents.",
      text: "Agents who lose access appear here and can be reinstated.",
    },
  },
};
const words = { one: "agent", many: "agents", none: "No agents" };

const countsQuery = api.agents.counts.queryOptions();
const agentsQuery = (tab: AgentTab, search: string) =>
  api.agents.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ tab, search, cursor }),
    ...paged,
    select: ({ pages }) => pages.flatMap(({ agents }) => agents),
  });

const readView = (params: URLSearchParams) => ({
  search: (params.get("search") ?? "").slice(0, accountSearchLimit),
});

/** Shows the consultancy's figures and its agents, with the decisions about them. Changes by others appear live. */
export default function AdminDashboard() {
  useLive("agents");
  const { data: counts } = useQuery(countsQuery);
  const [tab, setTab] = useState<AgentTab>("pending");
  const [{ search }, onChange] = useAddressView(readView, {});
  const query = useInfiniteQuery(agentsQuery(tab, search));
  const { error, refetch } = query;
  // Agents appear once everything above them has loaded: a card that moves could get a press meant for another.
  const isLoadingAbove = [useFigures(), useChangeRequests()].some(({ isPending }) => isPending);
  const agents = isLoadingAbove ? undefined : query.data;
  const { proposal, ...deciding } = useDecide();
  // The agent's current row, or the row as clicked if the agent has left the list.
  const agent = agents?.find(({ id }) => id === proposal?.agent.id) ?? proposal?.agent;
  const [handingOver, setHandingOver] = useState<Agent | null>(null);
  return (
    <Page wide title="Admin dashboard">
      <AdminNav />
      <Overview />
      <ChangeRequests />
      <Tabs.Root id={agentsId} value={tab} onValueChange={setTab}>
        <Tabs.List activateOnFocus className={classes.tabs}>
          {agentTabs.map((each) => (
            <Tabs.Tab key={each} value={each} className={classes.tab}>
              {tabs[each].title} ({counts?.[each] ?? "…"})
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <SearchField
          className={classes.search}
          label="Search agents"
          placeholder="Search by name, agency or email..."
          maxLength={accountSearchLimit}
          search={search}
          onSearch={(text) => onChange({ search: text })}
        />
        <Tabs.Panel key={tab} value={tab} tabIndex={-1} className={classes.panel}>
          {tabs[tab].also && <p className={classes.also}>{tabs[tab].also}</p>}
          {!agents && error && <Retry error={error} onRetry={() => void refetch()} />}
          {!agents && !error && <AgentsSkeleton />}
          {agents?.length === 0 && (
            <NoAgents tab={tab} search={search} onClear={() => onChange({ search: "" })} />
          )}
          {agents && agents.length > 0 && (
            <div className={classes.cards}>
              {agents.map((each) => (
                <AgentCard
                  key={each.id}
                  agent={each}
                  busy={deciding.pending === each.id}
                  onDecide={(decision) => deciding.decide({ decision, agent: each })}
                  onHandOver={() => setHandingOver(each)}
                />
              ))}
            </div>
          )}
          <ShowMore query={query} />
        </Tabs.Panel>
      </Tabs.Root>
      <WorkLists />
      <ListStatus count={agents?.length ?? null} more={query.hasNextPage} words={words} />
      <DecisionDialog
        {...deciding}
        proposal={proposal && agent ? { decision: proposal.decision, agent } : null}
      />
      <HandOverDialog agent={handingOver} onClose={() => setHandingOver(null)} />
    </Page>
  );
}

function NoAgents({ tab, search, onClear }: { tab: AgentTab; search: string; onClear: () => void }) {
  if (search.trim() === "") return <EmptyState {...tabs[tab].empty} />;
  return (
    <EmptyState
      title="No agents found"
      text={`No agent here matches “${search}”. Try part of a name, agency or email address.`}
    >
      <Button variant="default" onClick={onClear}>
        Clear search
      </Button>
    </EmptyState>
  );
}

const AgentsSkeleton = () => (
  <Waiting label="Loading agents">
    <Skeleton h={92} />
    <Skeleton h={92} />
    <Skeleton h={92} />
  </Waiting>
);
