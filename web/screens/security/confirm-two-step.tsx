import { useMutation } from "@tanstack/react-query";
import { confirmIdentity } from "../../lib/recent-login.ts";
import { Button } from "../../ui/button.tsx";
import { Item } from "../../ui/item-list.tsx";
import { readAgain, useGoHome } from "./sign-in-methods.ts";

/** Asks a person who logged in with the password alone to confirm with the second factor. */
export function ConfirmTwoStep() {
  const goHome = useGoHome();
  const confirm = useMutation({
    mutationFn: confirmIdentity,
    onSuccess: async (confirmed) => {
      if (!confirmed) return;
      await readAgain();
      goHome();
    },
  });
  return (
    <Item
      name="Confirm it's you"
      details={<p>You're logged in with the password alone. Use your passkey or your app to go on.</p>}
      actions={
        <Button disabled={confirm.isPending} onClick={() => confirm.mutate()}>
          Confirm
        </Button>
      }
    />
  );
}
