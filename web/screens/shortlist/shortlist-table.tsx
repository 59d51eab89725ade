import { IconExternalLink } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ShortlistItem } from "#contract/shortlist.ts";
import { visitableUrl } from "#domain/shortlist.ts";
import { announce } from "../../lib/announce.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import classes from "./shortlist-table.module.css";

/** The items of a shortlist, with Visit and Remove. */
export function ShortlistTable({ items }: { items: readonly ShortlistItem[] }) {
  const { mutate, variables, isPending, error, reset } = useMutation(
    api.shortlist.remove.mutationOptions({
      onSuccess: () => announce("Item removed successfully!"),
      // Refetches after a failure too, which may be a conflict.
      onSettled: () => queryClient.invalidateQueries({ queryKey: api.shortlist.key() }),
    }),
  );
  const [itemToRemove, setItemToRemove] = useState<ShortlistItem | null>(null);
  return (
    <>
      {items.length === 0 ? (
        <EmptyState
          title="No items in the shortlist."
          text="Add a university and a course above, and they'll appear here."
        />
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">University</th>
              <th scope="col">Course</th>
              <th scope="col" className={classes.actions}>
                URL
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <Row
                key={item.id}
                item={item}
                busy={isPending && variables.id === item.id}
                onRemove={() => setItemToRemove(item)}
              />
            ))}
          </tbody>
        </table>
      )}
      <ConfirmModal
        question={itemToRemove && removalOf(itemToRemove)}
        onCancel={() => setItemToRemove(null)}
        onConfirm={() => {
          if (itemToRemove) mutate({ id: itemToRemove.id });
          setItemToRemove(null);
        }}
      />
      <ErrorModal title="Shortlist Error" error={error} onClose={reset} />
    </>
  );
}

const removalOf = ({ university, course }: ShortlistItem) => ({
  title: "Remove item",
  text: `Remove ${course} at ${university} from the shortlist?`,
  action: "Remove",
});

type RowProps = { item: ShortlistItem; busy: boolean; onRemove: () => void };

function Row({ item: { id, university, course, url }, busy, onRemove }: RowProps) {
  const titleId = `item-${id}`;
  // Checks the address once more, because the page decides what it links to.
  const href = url && visitableUrl(url);
  return (
    <tr ref={passFocusOn}>
      <td className={classes.university} id={titleId}>
        {university}
      </td>
      <td>{course}</td>
      <td>
        <div className={classes.buttons}>
          {href && (
            <LinkButton
              to={href}
              target="_blank"
              rel="noopener noreferrer"
              size="compact-md"
              aria-describedby={titleId}
              rightSection={<IconExternalLink size={16} aria-hidden />}
            >
              Visit
            </LinkButton>
          )}
          <Button
            variant="default"
            size="compact-md"
            disabled={busy}
            aria-describedby={titleId}
            aria-haspopup="dialog"
            onClick={onRemove}
          >
            Remove
          </Button>
        </div>
      </td>
    </tr>
  );
}
