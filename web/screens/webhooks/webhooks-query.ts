import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";

export const webhooksQuery = api.webhooks.mine.queryOptions();

/** Refetches the webhooks and their deliveries after a change. */
export const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: api.webhooks.key() });

/** Refetches only the list after a removal, because the removed webhook's deliveries can no longer be read. */
export const refetchWebhookList = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey });
