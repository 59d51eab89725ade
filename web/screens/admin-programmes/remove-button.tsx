import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";

type RemoveButtonProps = { name: string; text: string; remove: () => Promise<unknown> };

/** Removes a row of a table after a confirmation. */
export function RemoveButton({ name, text, remove }: RemoveButtonProps) {
  const [asking, setAsking] = useState(false);
  const removal = useMutation({
    mutationFn: remove,
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.catalogue.key() }),
  });
  return (
    <>
      <Button
        size="compact-md"
        variant="default"
        disabled={removal.isPending}
        aria-label={`Remove ${name}`}
        onClick={() => setAsking(true)}
      >
        Remove
      </Button>
      <ConfirmModal
        question={asking ? { title: `Remove ${name}?`, text, action: "Remove" } : null}
        onConfirm={() => {
          setAsking(false);
          removal.mutate();
        }}
        onCancel={() => setAsking(false)}
      />
      <ErrorModal title="Not Removed" error={removal.error} onClose={removal.reset} />
    </>
  );
}
