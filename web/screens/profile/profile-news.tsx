import { Group } from "@mantine/core";
import { profileLabel } from "#domain/profile.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { News } from "./use-profile-form.ts";

/** A mail waits to be opened. */
export const PendingEmail = ({ email }: { email: string }) => (
  <Notice kind="success">
    We sent a link to <strong>{email}</strong>. Your email address changes when you open it.
  </Notice>
);

/** What to know before going on with the form: unsaved changes, or somebody else's save. */
export function ProfileNews({ news, onDiscard }: { news: News; onDiscard: () => void }) {
  return (
    <Notice>
      <Group justify="space-between" gap="xs">
        <span>{news.kind === "draft" ? draftWords : conflictWords(news.fields)}</span>
        <Button variant="default" size="compact-md" onClick={onDiscard}>
          Discard changes
        </Button>
      </Group>
    </Notice>
  );
}

const draftWords = "These are your unsaved changes from before. Save them, or discard them.";

function conflictWords(fields: Extract<News, { kind: "conflict" }>["fields"]): string {
  const names = fields.map((field) => profileLabel[field]).join(", ");
  const what = names === "" ? "" : ` (${names})`;
  return `This profile was saved somewhere else in the meantime${what}. What you typed is still here: look it over, then save again.`;
}
