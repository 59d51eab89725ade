import { useMutation } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { dropDrafts } from "../lib/drafts.ts";
import { pushedTo } from "../lib/push-memory.ts";
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
  /** The destination of somebody who signs out on purpose; null when nobody does. Guards send them there too. */
  leavingTo: string | null;
};

const SignOutContext = createContext<SignOut>({
  signOut: () => {},
  isSigningOut: false,
  leavingTo: null,
});

export const useSignOut = (): SignOut => use(SignOutContext);

/** Has the browser forget its subscription, which ended with the session. */
async function dropPushed(): Promise<void> {
  if (pushedTo() === null) return;
  try {
    const { dropPush } = await import("../lib/push.ts");
    await dropPush();
  } catch {
    // Nothing is sent to it any more, whether the browser knows or not.
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
      const leaving = viewerId();
      await end();
      dropDrafts();
      if (leaving !== null) dropReceipts(leaving);
      void dropPushed();
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
