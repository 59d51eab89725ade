import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";

export const webhooksQuery = api.webhooks.mine.queryOptions();

/** After a change: the webhooks, and what they have delivered. */
export const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: api.webhooks.key() });
