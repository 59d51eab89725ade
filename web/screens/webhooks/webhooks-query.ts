import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";

export const webhooksQuery = api.webhooks.mine.queryOptions();

/** After a change: the webhooks, and what they have delivered. */
export const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: api.webhooks.key() });

/** After one was removed: its deliveries are not there to be read any more. */
export const readListAgain = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey });
