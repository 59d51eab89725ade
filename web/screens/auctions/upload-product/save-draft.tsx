import { useMutation } from "@tanstack/react-query";
import { dropDraft } from "../../../lib/drafts.ts";
import { rpc } from "../../../lib/rpc.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { draftFormOf, type ItemTexts } from "./item-form.ts";
import type { PictureQueue } from "./picture-queue.ts";
import { textsAround } from "./preview.tsx";

type SaveDraftProps = {
  /** The draft that the form came from, if any. */
  draftId: string | undefined;
  /** The name under which the tab keeps the form's texts. */
  form: string;
  queue: PictureQueue;
  onSaved: () => Promise<void>;
};

/** Saves the form as a draft on the server, to continue on another day or another device. */
export function SaveDraft({ draftId, form, queue, onSaved }: SaveDraftProps) {
  const { mutate, isPending, error, reset } = useMutation({
    async mutationFn(texts: ItemTexts) {
      const images = await queue.upload();
      await rpc.auctions.saveDraft({ draftId, form: draftFormOf(texts), images });
      dropDraft(form);
      await onSaved();
    },
  });
  return (
    <>
      <Button
        variant="subtle"
        size="md"
        disabled={isPending}
        onClick={({ currentTarget }) => mutate(textsAround(currentTarget))}
      >
        {isPending ? "Saving..." : "Save as draft"}
      </Button>
      <ErrorModal title="Draft Error" error={error} onClose={reset} />
    </>
  );
}
