import { QueryClient } from "@tanstack/react-query";
import { friendlyError } from "#domain/friendly-error.ts";

/** Failures that may be over in a moment; every other answer is final. */
const passing = new Set<string | null>(["auth/network-request-failed", "unavailable"]);

/** What this tab knows of the server's state. The pages built ahead of time ask nothing, so it is only a browser's. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && passing.has(friendlyError(error).code),
      retryDelay: (failures) => 500 * 2 ** failures,
      // Offline is an error to show, not a reason to wait without a word.
      networkMode: "always",
      // What was missed meanwhile may be anything.
      refetchOnReconnect: "always",
      // Going back shows what was there half an hour ago, and asks again behind it.
      gcTime: 1_800_000,
    },
    // A bid that waits for the connection and goes out minutes later is not what was meant: offline fails at once.
    // A mutation's variables can be a password: nothing of it is kept.
    mutations: { networkMode: "always", gcTime: 0 },
  },
});
