import { useMutation } from "@tanstack/react-query";
import { friendlyError } from "#domain/friendly-error.ts";
import { profileLabel } from "#domain/profile.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { News } from "./use-profile-form.ts";

type PendingEmailProps = { email: string; onCancelled: () => void };

/** A mail waits to be opened; the change that it confirms can be called off. */
export function PendingEmail({ email, onCancelled }: PendingEmailProps) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.profile.cancelEmailChange(),
    onSuccess() {
      announce("Your email address won't change.");
      onCancelled();
    },
  });
  return (
    <>
      <Notice
        kind="success"
        action={
          <Button variant="default" size="compact-md" disabled={isPending} onClick={() => mutate()}>
            Cancel the change
          </Button>
        }
      >
        We've sent a link to <strong>{email}</strong>. Open it to confirm the change.
      </Notice>
      <ErrorModal title="Profile Error" error={error && friendlyError(error)} onClose={reset} />
    </>
  );
}

/** What to know before going on with the form: unsaved changes, or somebody else's save. */
export function ProfileNews({ news, onDiscard }: { news: News; onDiscard: () => void }) {
  return (
    <Notice
      action={
        <Button variant="default" size="compact-md" onClick={onDiscard}>
          Discard changes
        </Button>
      }
    >
      {news.kind === "draft" ? draftWords : conflictWords(news.fields)}
    </Notice>
  );
}

const draftWords = "These changes aren't saved yet. Save them, or discard them.";

function conflictWords(fields: Extract<News, { kind: "conflict" }>["fields"]): string {
  const names = fields.map((field) => profileLabel[field]).join(", ");
  const what = names === "" ? "" : ` (${names})`;
  return `This profile was changed elsewhere in the meantime${what}. Your changes are still here. Check them, then save again.`;
}
