import { useInfiniteQuery } from "@tanstack/react-query";
import type { AgentTab } from "#domain/agent-approval.ts";
import { ListStatus } from "../../ui/list-status.tsx";
import { agentsQuery } from "./agent-list.tsx";

const words = { one: "agent", many: "agents", none: "No agents" };

/** For readers: what the list of a tab shows. */
export function HowMany({ tab }: { tab: AgentTab }) {
  const { data, hasNextPage } = useInfiniteQuery(agentsQuery(tab));
  const count = data?.pages.reduce((sum, { agents }) => sum + agents.length, 0) ?? null;
  return <ListStatus count={count} more={hasNextPage} words={words} />;
}
