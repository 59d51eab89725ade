import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Note } from "#contract/notes.ts";
import { applicationName } from "#domain/application-notification.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { isNoteKind, noteKindLabels, noteKinds, noteLimits, noteProblem } from "#domain/note.ts";
import { notesTopic } from "#protocol/live-topic.ts";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { useLive } from "../../lib/live.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { SelectField, TextAreaField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import classes from "./notes.module.css";

/** The subject of the notes: a student, or the application of that id. */
type NotesProps = { studentId: string; applicationId?: string };

const notesQuery = ({ studentId, applicationId }: NotesProps) =>
  applicationId === undefined
    ? api.notes.ofStudent.infiniteOptions({
        input: (cursor: string | undefined) => ({ studentId, cursor }),
        ...paged,
      })
    : api.notes.ofApplication.infiniteOptions({
        input: (cursor: string | undefined) => ({ applicationId, cursor }),
        ...paged,
      });

/** The notes under a heading of their own, in the expanded row of Manage Students. */
export function Notes(about: NotesProps) {
  const titleId = useId();
  return (
    <section className={classes.section} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        Notes
      </h2>
      <NoteBox {...about} />
    </section>
  );
}

/**
 * Internal staff notes about a student, for the assigned agent and admins. The notes about a student include those
 * about the student's applications.
 */
export function NoteBox(about: NotesProps) {
  useLive(notesTopic(about.studentId));
  const query = useInfiniteQuery({
    ...notesQuery(about),
    select: ({ pages }) => ({
      pinned: pages[0]?.pinned ?? null,
      notes: pages.flatMap(({ notes }) => notes),
    }),
  });
  const { data, error, refetch } = query;
  if (error && friendlyError(error).code === "not-found")
    return <p className={classes.none}>Only the assigned agent and admins can see these notes.</p>;
  return (
    <div className={classes.notes}>
      <p className={classes.promise}>Staff only. The student can ask to read this.</p>
      <NewNote {...about} />
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={120} label="Loading notes" />}
      {data?.notes.length === 0 && <p className={classes.none}>No notes yet.</p>}
      {data && data.notes.length > 0 && <NoteList about={about} {...data} />}
      <ShowMore query={query} label="Show older notes" spaced={false} />
    </div>
  );
}

function NewNote({ studentId, applicationId }: NotesProps) {
  const draftName = `note ${applicationId ?? studentId}`;
  const [savedCount, setSavedCount] = useState(0);
  return (
    <Form
      // A new key empties the form for the next note.
      key={`${draftName} ${savedCount}`}
      errorTitle="Note not saved"
      draftName={draftName}
      fields={["kind", "text"]}
      check={({ text }) => noteProblem(text)}
      send={async ({ kind, text }) => {
        const form = { kind: isNoteKind(kind) ? kind : "other", text } as const;
        if (applicationId === undefined) await rpc.notes.addToStudent({ studentId, ...form });
        else await rpc.notes.addToApplication({ applicationId, ...form });
        announce("Note saved.");
        await queryClient.invalidateQueries({ queryKey: api.notes.key() });
      }}
      onDone={() => setSavedCount(savedCount + 1)}
    >
      <div className={classes.form}>
        <SelectField
          name="kind"
          label="Kind"
          defaultValue="call"
          data={noteKinds.map((kind) => ({ value: kind, label: noteKindLabels[kind] }))}
        />
        <TextAreaField name="text" label="New note" rows={2} maxLength={noteLimits.text} />
        <div>
          <SubmitButton busyText="Saving...">Save note</SubmitButton>
        </div>
      </div>
    </Form>
  );
}

type NoteListProps = { about: NotesProps; pinned: Note | null; notes: readonly Note[] };

/** The pinned note first, then all others, newest first. */
function NoteList({ about, pinned, notes }: NoteListProps) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (pin: { noteId: string; pinned: boolean }) => rpc.notes.pin(pin),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.notes.key() }),
  });
  const others = notes.filter(({ id }) => id !== pinned?.id);
  return (
    <>
      <ul className={classes.list} aria-label="Notes">
        {[...(pinned ? [pinned] : []), ...others].map((note) => {
          const isPinned = note.id === pinned?.id;
          return (
            <NoteItem
              key={note.id}
              note={note}
              isPinned={isPinned}
              // Notes about an application are pinned on its own page.
              canPin={about.applicationId !== undefined || note.application === null}
              busy={isPending}
              onPin={() => mutate({ noteId: note.id, pinned: !isPinned })}
            />
          );
        })}
      </ul>
      <ErrorModal title="Error" error={error} onClose={reset} />
    </>
  );
}

type NoteItemProps = { note: Note; isPinned: boolean; canPin: boolean; busy: boolean; onPin: () => void };

function NoteItem({ note, isPinned, canPin, busy, onPin }: NoteItemProps) {
  const { formatMoment } = useFormats();
  const { kind, text, at, author, application } = note;
  const from = `${noteKindLabels[kind]}, ${formatMoment(at)}`;
  return (
    <li className={classes.note} data-pinned={isPinned || undefined}>
      <div className={classes.head}>
        <p className={classes.facts}>
          <strong>{noteKindLabels[kind]}</strong>
          {` · ${author?.name || (author?.role === "admin" ? "Administrator" : "A former colleague")} · ${formatMoment(at)}`}
          {application && ` · ${applicationName(application)}`}
        </p>
        {isPinned && <StateBadge tone="going">Pinned</StateBadge>}
        {canPin && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={busy}
            aria-label={`${isPinned ? "Unpin" : "Pin"}: ${from}`}
            onClick={onPin}
          >
            {isPinned ? "Unpin" : "Pin"}
          </Button>
        )}
      </div>
      <p className={classes.text}>{text}</p>
    </li>
  );
}
