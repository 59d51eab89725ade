import { IconPaperclip, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useId, useState, useSyncExternalStore } from "react";
import type { Viewer } from "#contract/account.ts";
import { looksLikePassportNumber, messageLimits, messageProblem } from "#domain/conversation.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { type FriendlyError, friendlyError, hasCode } from "#domain/friendly-error.ts";
import { draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { formatSize } from "../../lib/format-size.ts";
import { IdempotencyKeys } from "../../lib/idempotency-keys.ts";
import { queryClient } from "../../lib/query-client.ts";
import { CataloguedError } from "../../lib/request.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { uploadFile } from "../../lib/upload-queue.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ChooseFile, UploadOutcome } from "../../ui/file-upload.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { type Attachment, AttachmentQueue } from "./attachment-queue.ts";
import classes from "./compose.module.css";

/** The ids of a conversation, whether it has begun or not. */
export type ConversationOf = { studentId: string; applicationId: string | null };

const nameOf = ({ studentId, applicationId }: ConversationOf) => `message ${studentId} ${applicationId}`;

/** The chosen files by conversation: they live as long as the tab, but not beyond a change of the account. */
let attachments: { viewerId: string; queues: Map<string, AttachmentQueue> } | null = null;
/** A message that may have been stored is sent again under its first key, even after the screen was left. */
const keys = new IdempotencyKeys();

const me = api.account.me.queryOptions();

function idIn(answer: unknown): string {
  const { id }: { id?: unknown } = Object(answer);
  if (typeof id !== "string") throw new CataloguedError("unavailable");
  return id;
}

function queueOf(viewerId: string, conversation: ConversationOf): AttachmentQueue {
  if (attachments?.viewerId !== viewerId) attachments = { viewerId, queues: new Map() };
  const { queues } = attachments;
  const name = nameOf(conversation);
  const queue =
    queues.get(name) ??
    new AttachmentQueue(messageLimits.files, async (file, onProgress) => {
      // Another person is logged in by now: the file must not end up among theirs.
      if (queryClient.getQueryData(me.queryKey)?.viewer?.id !== viewerId)
        throw new CataloguedError("unauthenticated");
      return idIn(await uploadFile(`/files/messages/${conversation.studentId}`, file, onProgress));
    });
  queues.set(name, queue);
  return queue;
}

type ComposeProps = {
  viewer: Viewer;
  conversation: ConversationOf;
  /** The person or people who will read it, as in "Message to Kofi Mensah". */
  to: string;
  onSent: () => void;
};

/** The box for a new message. Its text and files stay while the tab lives, until they are sent. */
export function Compose({ viewer, conversation, to, onSent }: ComposeProps) {
  const name = nameOf(conversation);
  const [text, setText] = useState(() => draftOf<"text">(name).text ?? "");
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<FriendlyError | Problem | null>(null);
  const queue = queueOf(viewer.id, conversation);
  const files = useSyncExternalStore(queue.subscribe, queue.get);
  const [id, hintId] = [useId(), useId()];
  const isEmpty = text.trim() === "" && files.items.length === 0;

  function write(value: string) {
    setText(value);
    keepDraft(name, { text: value }, {}, ["text"]);
  }

  async function send() {
    if (isBusy || isEmpty) return;
    const problem = messageProblem(text, files.items.length);
    if (problem) return setFailure(problem);
    setBusy(true);
    try {
      const ids = await queue.upload();
      if (ids === null) return;
      const content = JSON.stringify([conversation, text, ids]);
      await rpc.conversations.send({ ...conversation, key: keys.of(content), text, files: ids });
      keys.answered(content);
      dropDraft(name);
      queue.clear();
      setText("");
      onSent();
    } catch (error) {
      // The server may have deleted files that waited for too long.
      if (hasCode(error, "failed-precondition")) queue.dropUploads();
      setFailure(friendlyError(error));
    } finally {
      setBusy(false);
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  }

  return (
    <form
      className={classes.compose}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label htmlFor={id} className={classes.label}>
        Message to {to}
      </label>
      <div className={classes.box}>
        <textarea
          id={id}
          className={classes.input}
          rows={2}
          value={text}
          readOnly={isBusy}
          aria-describedby={hintId}
          onChange={({ currentTarget: { value } }) => write(value)}
          onKeyDown={onKeyDown}
        />
        <ChosenFiles queue={queue} files={files.items} busy={isBusy} />
        {files.leftOut > 0 && (
          <p className={classes.note} role="alert">
            A message can have at most {messageLimits.files} files.
          </p>
        )}
        <div className={classes.foot}>
          <ChooseFile
            label="Add files"
            accept=".pdf,.jpg,.jpeg,.png"
            multiple
            size="compact-md"
            variant="subtle"
            disabled={isBusy}
            onChoose={(files) => void queue.add(files)}
          >
            <IconPaperclip size={18} stroke={1.6} aria-hidden className={classes.clip ?? ""} />
            Add files
          </ChooseFile>
          <div className={classes.end}>
            <span id={hintId} className={classes.hint}>
              Ctrl+Enter sends
            </span>
            <Counter length={text.trim().length} />
            <Button type="submit" disabled={isBusy || isEmpty}>
              {isBusy ? "Sending..." : "Send"}
            </Button>
          </div>
        </div>
      </div>
      {looksLikePassportNumber(text) && <PassportHint isStudent={viewer.role === "student"} />}
      <ErrorModal title="Message not sent" error={failure} onClose={() => setFailure(null)} />
    </form>
  );
}

/** Characters before the limit at which the counter appears. */
const countedFrom = 400;

function Counter({ length }: { length: number }) {
  const room = messageLimits.text - length;
  if (room > countedFrom) return null;
  return (
    <output className={classes.counter} data-over={room < 0 || undefined}>
      {room < 0 ? `${(-room).toLocaleString("en")} too many` : `${room.toLocaleString("en")} left`}
    </output>
  );
}

/** Only warns: the message can be sent as it is. */
const PassportHint = ({ isStudent }: { isStudent: boolean }) => (
  <output className={classes.passport}>
    This looks like a passport number.{" "}
    {isStudent ? (
      <>
        It's safer to <TextLink to="/student-documents">upload your passport as a document</TextLink> than to
        write its number here.
      </>
    ) : (
      "It's safer among the student's documents than in a message."
    )}
  </output>
);

type ChosenFilesProps = { queue: AttachmentQueue; files: readonly Attachment[]; busy: boolean };

function ChosenFiles({ queue, files, busy }: ChosenFilesProps) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.files} aria-label="Files to send">
      {files.map((item) => (
        <li key={item.id} ref={passFocusOn} className={classes.file} aria-label={item.file.name}>
          <span>
            {item.file.name} <span className={classes.size}>{formatSize(item.file.size)}</span>
          </span>
          <IconButton
            label={`Remove ${item.file.name}`}
            disabled={busy}
            onClick={() => {
              queue.remove(item.id);
              // If this fails, the server deletes it a little later.
              if (item.fileId) void rpc.conversations.discardFile({ fileId: item.fileId }).catch(() => {});
            }}
          >
            <IconX size={18} stroke={1.6} aria-hidden />
          </IconButton>
          {item.state.kind !== "uploaded" && <UploadOutcome state={item.state} name={item.file.name} />}
        </li>
      ))}
    </ul>
  );
}
