import { useMutation } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { dropDrafts } from "../lib/drafts.ts";
import { queryClient } from "../lib/query-client.ts";
import { rpc } from "../lib/rpc.ts";
import { setViewer } from "../lib/viewer.ts";
import { ErrorModal } from "../ui/error-modal.tsx";

/** The call that ends the session, and where that leads. */
type Departure = { to: "/" | "/login"; end: () => Promise<unknown>; errorTitle: string };

type SignOut = {
  /** Signs out and goes on to a public address. */
  signOut: (to: "/" | "/login") => void;
  /** The same with a call that ends the session by itself. */
  leave: (departure: Departure) => void;
  isSigningOut: boolean;
  /** Where somebody who signs out on purpose goes; null when nobody does. Guards send them there too. */
  leavingTo: string | null;
};

const SignOutContext = createContext<SignOut>({
  signOut: () => {},
  leave: () => {},
  isSigningOut: false,
  leavingTo: null,
});

export const useSignOut = (): SignOut => use(SignOutContext);

export function SignOutProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: async ({ to, end }: Departure) => {
      // What is still asked for would be refused by then.
      await queryClient.cancelQueries();
      await end();
      dropDrafts();
      await setViewer(null);
      await navigate(to);
    },
    onMutate: ({ to }) => setLeavingTo(to),
    onError: () => setLeavingTo(null),
  });
  if (leavingTo === pathname && !isPending) setLeavingTo(null);

  const value = useMemo(
    () => ({
      signOut: (to: Departure["to"]) =>
        mutate({ to, end: () => rpc.account.signOut(), errorTitle: "Logout Error" }),
      leave: mutate,
      isSigningOut: isPending,
      leavingTo,
    }),
    [mutate, isPending, leavingTo],
  );
  return (
    <SignOutContext value={value}>
      {children}
      <ErrorModal title={variables?.errorTitle ?? ""} error={error && friendlyError(error)} onClose={reset} />
    </SignOutContext>
  );
}
