import { useMutation } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { dropDrafts } from "../lib/drafts.ts";
import { pushSubscriberId } from "../lib/push-memory.ts";
import { queryClient } from "../lib/query-client.ts";
import { dropReceipts } from "../lib/receipt-memory.ts";
import { rpc } from "../lib/rpc.ts";
import { setViewer, signOutKey, viewerId } from "../lib/viewer.ts";
import { ErrorModal } from "../ui/error-modal.tsx";

/** The destination, and the call that ends the session if it isn't the usual one. */
type Departure = { to: "/" | "/login"; end?: () => Promise<unknown>; errorTitle?: string };

type SignOut = {
  signOut: (departure: Departure) => void;
  isSigningOut: boolean;
  /** The destination of a person who signs out on purpose, which guards use too; otherwise null. */
  leavingTo: string | null;
};

const SignOutContext = createContext<SignOut>({
  signOut: () => {},
  isSigningOut: false,
  leavingTo: null,
});

export const useSignOut = (): SignOut => use(SignOutContext);

/** Drops the browser's push subscription, which ended with the session. */
async function dropPushSubscription(): Promise<void> {
  if (pushSubscriberId() === null) return;
  try {
    const { dropPush } = await import("../lib/push.ts");
    await dropPush();
  } catch {
    // The server sends nothing to it any more, even if the browser keeps it.
  }
}

export function SignOutProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationKey: signOutKey,
    mutationFn: async ({ to, end = () => rpc.account.signOut() }: Departure) => {
      // Pending queries would be refused after the session's end.
      await queryClient.cancelQueries();
      const leavingId = viewerId();
      await end();
      dropDrafts();
      if (leavingId !== null) dropReceipts(leavingId);
      void dropPushSubscription();
      await setViewer(null);
      await navigate(to);
    },
    onMutate: ({ to }) => setLeavingTo(to),
    onError: () => setLeavingTo(null),
  });
  if (leavingTo === pathname && !isPending) setLeavingTo(null);

  const value = useMemo(
    () => ({ signOut: mutate, isSigningOut: isPending, leavingTo }),
    [mutate, isPending, leavingTo],
  );
  return (
    <SignOutContext value={value}>
      {children}
      <ErrorModal title={variables?.errorTitle ?? "Logout Error"} error={error} onClose={reset} />
    </SignOutContext>
  );
}
