import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { draftPath } from "#protocol/addresses.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";

/** Copies an ended product into a draft, and opens it. */
export function SellAgain({ productId, productName }: { productId: string; productName: string }) {
  const navigate = useNavigate();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.auctions.sellAgain({ productId }),
    async onSuccess({ draftId }) {
      void queryClient.invalidateQueries({ queryKey: api.auctions.drafts.key() });
      await navigate(draftPath(draftId));
    },
  });
  return (
    <>
      <Button
        variant="default"
        disabled={isPending}
        aria-label={`Sell again: ${productName}`}
        onClick={() => mutate()}
      >
        {isPending ? "Copying..." : "Sell again"}
      </Button>
      <ErrorModal title="Product Error" error={error} onClose={reset} />
    </>
  );
}
