import { useMutation } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { dropDrafts } from "../lib/drafts.ts";
import { queryClient } from "../lib/query-client.ts";
import { rpc } from "../lib/rpc.ts";
import { setViewer } from "../lib/viewer.ts";
import { ErrorModal } from "../ui/error-modal.tsx";

type SignOut = {
  /** Signs out and goes on to a public address. */
  signOut: (to: "/" | "/login") => void;
  isSigningOut: boolean;
  /** Where somebody who signs out on purpose goes; null when nobody does. Guards send them there too. */
  leavingTo: string | null;
};

const SignOutContext = createContext<SignOut>({ signOut: () => {}, isSigningOut: false, leavingTo: null });

export const useSignOut = (): SignOut => use(SignOutContext);

export function SignOutProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (to: string) => {
      // What is still asked for would be refused by then.
      await queryClient.cancelQueries();
      await rpc.account.signOut();
      dropDrafts();
      await setViewer(null);
      await navigate(to);
    },
    onMutate: setLeavingTo,
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
      <ErrorModal title="Logout Error" error={error && friendlyError(error)} onClose={reset} />
    </SignOutContext>
  );
}
