import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ItemDraft } from "#contract/selling.ts";
import { draftTexts } from "#domain/item-draft.ts";
import { draftPath } from "#protocol/addresses.ts";
import { announce } from "../../../lib/announce.ts";
import { formatMoment } from "../../../lib/format-date.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { AuctionList, AuctionRow, auctionNameId } from "../../../ui/auction-row.tsx";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { ConfirmModal } from "../../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";

/** Items that are not published yet. */
export function Drafts({ drafts }: { drafts: readonly ItemDraft[] }) {
  if (drafts.length === 0) return <p>No drafts. “Save as draft” below the upload form keeps one here.</p>;
  return (
    <AuctionList>
      {drafts.map((draft) => (
        <DraftRow key={draft.id} draft={draft} />
      ))}
    </AuctionList>
  );
}

function DraftRow({ draft: { id, form, pictures, changedAt, isCopy } }: { draft: ItemDraft }) {
  const name = form.productName.trim() || "Without a name";
  const number = pictures.length === 1 ? "1 picture" : `${pictures.length} pictures`;
  return (
    <AuctionRow
      productId={id}
      productName={name}
      picture={pictures[0] ?? null}
      to={draftPath(id)}
      figures={[isCopy ? "Copy of an ended item" : "Draft", number]}
      note={
        <>
          Saved <time dateTime={changedAt.toISOString()}>{formatMoment(changedAt)}</time>
        </>
      }
      heading="h2"
    >
      <LinkButton size="sm" to={draftPath(id)} aria-describedby={auctionNameId(id)}>
        Go on
      </LinkButton>
      <DeleteDraft draftId={id} name={name} />
    </AuctionRow>
  );
}

function DeleteDraft({ draftId, name }: { draftId: string; name: string }) {
  const [isAsked, setAsked] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: api.auctions.drafts.key() });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.auctions.dropDraft({ draftId }),
    async onSuccess() {
      announce(draftTexts.deleted);
      await refresh();
    },
  });
  const question = {
    title: "Delete draft",
    text: `The draft of ${name} and its pictures will be deleted.`,
    action: "Delete",
  };
  return (
    <>
      <Button
        variant="default"
        disabled={isPending}
        aria-label={`Delete the draft of ${name}`}
        onClick={() => setAsked(true)}
      >
        Delete
      </Button>
      <ConfirmModal
        question={isAsked ? question : null}
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          mutate();
        }}
      />
      <ErrorModal
        title="Draft Error"
        error={error}
        onClose={() => {
          reset();
          void refresh();
        }}
      />
    </>
  );
}
