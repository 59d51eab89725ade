import { notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { friendlyError, hasCode } from "#domain/friendly-error.ts";
import { api } from "./rpc.ts";

/** Failures that may be over in a moment; every other answer is final. */
const retryable = new Set<string | null>(["auth/network-request-failed", "unavailable"]);

// A command that was just sent must show on its button before the next click is handled, however soon that comes: by
// default it shows a timer later, and a double click sends it twice.
notifyManager.setScheduler(queueMicrotask);

export const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({
      // The session is gone, or may do nothing without a second factor, and the page does not know yet: it learns so now,
      // and its guard asks for what is needed. What is only fetched ahead for another screen says so once that is opened,
      // so that the login leads on to it.
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

/** What this tab knows of the server's state. */
export const queryClient = createQueryClient();
