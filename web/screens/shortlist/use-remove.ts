import { useMutation } from "@tanstack/react-query";
import { friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";

/** Takes items off a shortlist, and refetches whatever came of it: it may be a conflict. */
export function useRemove() {
  const { mutate, variables, isPending, error, reset } = useMutation({
    mutationFn: (id: string) => rpc.shortlist.remove({ id }),
    onSuccess: () => announce("Item removed successfully!"),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.shortlist.key() }),
  });
  return {
    remove: mutate,
    pending: isPending ? variables : null,
    failure: error && friendlyError(error),
    clearFailure: reset,
  };
}
