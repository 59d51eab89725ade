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
    },
    // A mutation's variables can be a password: nothing of it is kept.
    mutations: { networkMode: "always", gcTime: 0 },
  },
});
