import { notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { friendlyError, hasCode } from "#domain/friendly-error.ts";
import { api } from "./rpc.ts";

/** Failures that may be over in a moment; every other error is final. */
const retryable = new Set<string | null>(["auth/network-request-failed", "unavailable"]);

// A command that was just sent must show on its button before the next click is handled. By default it shows a timer
// later, and a double click sends it twice.
notifyManager.setScheduler(queueMicrotask);

export const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({
      // The session is gone, or lacks a second factor. Refetching the viewer makes the page's guard ask for what is
      // needed. A query that was only prefetched for another screen fails once that screen opens, so that the login
      // leads on to it.
      onError(error, query) {
        const isOut = hasCode(error, "unauthenticated") || hasCode(error, "account/second-factor-required");
        if (query.isActive() && isOut) void queryClient.invalidateQueries({ queryKey: api.account.me.key() });
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && retryable.has(friendlyError(error).code),
        retryDelay: (failures) => 500 * 2 ** failures,
        // Being offline is an error to show, not a reason to wait silently.
        networkMode: "always",
        // Anything may have changed while offline.
        refetchOnReconnect: "always",
        // Going back shows data of up to half an hour ago, and refetches in the background.
        gcTime: 1_800_000,
      },
      // A bid must not wait for the connection and be sent minutes later, so offline it fails immediately.
      // A mutation's variables can be a password, so none of them are kept.
      mutations: { networkMode: "always", gcTime: 0 },
    },
  });

/** The tab's cache of the server's state. */
export const queryClient = createQueryClient();
