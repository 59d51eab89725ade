import { queryClient } from "../../lib/query-client.ts";
import { api, type rpc } from "../../lib/rpc.ts";

export type SignInMethods = Awaited<ReturnType<typeof rpc.signInMethods.mine>>;

export const signInMethodsQuery = api.signInMethods.mine.queryOptions();

/** After a change: what there is now, and whether a second factor is still lacking. */
export async function readAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: signInMethodsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: api.account.me.key() }),
  ]);
}
