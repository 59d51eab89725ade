import { useQuery } from "@tanstack/react-query";
import { queryClient } from "../../lib/query-client.ts";
import { api, type rpc } from "../../lib/rpc.ts";
import { useLive } from "../../lib/use-live.ts";

/** What the server says about a student's dashboard. */
export type Dashboard = Awaited<ReturnType<typeof rpc.students.dashboard>>;

const dashboardQuery = api.students.dashboard.queryOptions({ refetchOnWindowFocus: "always" });

/** Live, and asked again whenever the tab is seen again, whatever the stream has missed. */
export function useDashboard() {
  useLive("dashboard");
  return useQuery(dashboardQuery);
}

/** Asked again when a modal closes. */
export function refreshDashboard(): void {
  void queryClient.invalidateQueries({ queryKey: api.students.dashboard.key() });
  void queryClient.invalidateQueries({ queryKey: api.account.me.key() });
}
