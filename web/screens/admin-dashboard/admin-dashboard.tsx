import { Tabs } from "@base-ui/react/tabs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentCard as Agent } from "#contract/agents.ts";
import { accountSearchLimit } from "#domain/account-list.ts";
import { type AgentTab, agentTabs } from "#domain/agent-approval.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { api } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { useLive } from "../../lib/use-live.ts";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Page } from "../../ui/page.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { AdminNav } from "../admin/admin-nav.tsx";
import classes from "./admin-dashboard.module.css";
import { AgentCount, AgentList, useCurrent } from "./agent-list.tsx";
import { DecisionDialog } from "./decision-dialog.tsx";
import { HandOverDialog } from "./hand-over-dialog.tsx";
import { agentsId, Overview } from "./overview.tsx";
import { useDecide } from "./use-decide.ts";

export const meta = () => pageMeta("Admin dashboard");

const countsQuery = api.agents.counts.queryOptions();
const firstTab: AgentTab = "pending";

const tabTitle: Record<AgentTab, string> = {
  pending: "Pending Approvals",
  approved: "Approved Agents",
  former: "Revoked and denied",
};

/** Which agents are shown, as the address has it. */
const readView = (params: URLSearchParams) => ({
  search: (params.get("search") ?? "").slice(0, accountSearchLimit),
});

/** Where admins see how things stand, and decide about agents. It follows what other admins and new agents do. */
export default function AdminDashboard() {
  useLive("agents");
  const { data: counts } = useQuery(countsQuery);
  const [shown, setShown] = useState<AgentTab>(firstTab);
  const deciding = useDecide();
  const [{ search }, onChange] = useAddressView(readView, {});
  const onSearch = (typed: string) => onChange({ search: typed });
  const asked = useCurrent(shown, search, deciding.asked?.agent ?? null);
  const [handingOver, setHandingOver] = useState<Agent | null>(null);
  return (
    <Page wide title="Admin dashboard">
      <AdminNav />
      <Overview />
      <Tabs.Root id={agentsId} value={shown} onValueChange={setShown}>
        <Tabs.List activateOnFocus className={classes.tabs}>
          {agentTabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab} className={classes.tab}>
              {tabTitle[tab]} ({counts?.[tab] ?? "…"})
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <SearchField
          className={classes.search}
          label="Search agents"
          placeholder="Search by name, agency or email..."
          maxLength={accountSearchLimit}
          search={search}
          onSearch={onSearch}
        />
        {agentTabs.map((tab) => (
          <Tabs.Panel key={tab} value={tab} tabIndex={-1} className={classes.panel}>
            <AgentList
              tab={tab}
              search={search}
              onSearch={onSearch}
              pending={deciding.pending}
              onDecide={deciding.decide}
              onHandOver={setHandingOver}
            />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
      <AgentCount tab={shown} search={search} />
      <DecisionDialog
        asked={deciding.asked && asked && { decision: deciding.asked.decision, agent: asked }}
        onConfirm={deciding.confirm}
        onCancel={deciding.cancel}
      />
      <HandOverDialog agent={handingOver} onClose={() => setHandingOver(null)} />
      <ErrorModal title="Error" error={deciding.failure} onClose={deciding.clearFailure} />
    </Page>
  );
}
