import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { friendlyError } from "#domain/friendly-error.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";

/** Takes items off a shortlist, and looks again whatever came of it: somebody else may have been faster. */
export function useRemove() {
  const { mutate, variables, isPending, error, reset } = useMutation({
    mutationFn: (id: string) => rpc.shortlist.remove({ id }),
    onSuccess: () => notifications.show({ message: "Item removed successfully!" }),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: api.shortlist.key() });
      keepFocus();
    },
  });
  return {
    remove: mutate,
    underWay: isPending ? variables : null,
    failure: error && friendlyError(error),
    forgetFailure: reset,
  };
}

/** The button that was pressed is gone with its row: the keyboard goes on from the form above. */
function keepFocus() {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('input[name="university"]')?.focus();
}
