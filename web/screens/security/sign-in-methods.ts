import { useState } from "react";
import { useNavigate } from "react-router";
import { homePath } from "#protocol/addresses.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, type rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";

export type SignInMethods = Awaited<ReturnType<typeof rpc.signInMethods.mine>>;

export const signInMethodsQuery = api.signInMethods.mine.queryOptions();

/** Refetches the sign-in methods after a change, and whether two-step login is still missing. */
export async function readAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: signInMethodsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: api.apiKeys.key() }),
    queryClient.invalidateQueries({ queryKey: api.webhooks.key() }),
    queryClient.invalidateQueries({ queryKey: api.account.me.key() }),
  ]);
}

/** Returns a function that leads home a person who could do nothing before two-step login was set up. */
export function useGoHome(): () => void {
  const navigate = useNavigate();
  const viewer = useViewer();
  const [lacked] = useState(viewer?.lacksSecondFactor ?? false);
  return () => {
    if (lacked && viewer) void navigate(homePath(viewer));
  };
}
