import { useState } from "react";
import { noteLimits } from "#domain/note.ts";
import { draftOf, keepDraft } from "../../lib/drafts.ts";
import field from "../../ui/form/field.module.css";
import { Field } from "../../ui/form/fields.tsx";

/** Returns the name of the note's draft, which lives as long as the tab. `about`: the student, or the former agent. */
export const handoverDraft = (about: string): string => `handover ${about}`;

/** Returns the draft of the note for the next agent. */
export function useHandoverNote(about: string) {
  const draft = handoverDraft(about);
  const [note, setNote] = useState(() => draftOf<"note">(draft).note ?? "");
  return {
    note,
    setNote(text: string) {
      setNote(text);
      keepDraft(draft, { note: text }, {}, ["note"]);
    },
  };
}

type HandoverNoteProps = { note: string; setNote: (note: string) => void; busy: boolean };

/** Offers to leave a note for the next agent. */
export const HandoverNote = ({ note, setNote, busy }: HandoverNoteProps) => (
  <Field
    label="Note for the next agent (optional)"
    description="Staff only. The student can ask to read this."
  >
    {(control) => (
      <div className={field.control}>
        <textarea
          className={field.input}
          rows={2}
          maxLength={noteLimits.text}
          value={note}
          disabled={busy}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
          {...control}
        />
      </div>
    )}
  </Field>
);
