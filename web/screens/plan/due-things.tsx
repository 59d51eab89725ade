import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { DueThing } from "#contract/planned-work.ts";
import { applicationName } from "#domain/application-notification.ts";
import { dueWords } from "#domain/deadline.ts";
import { applicationPath } from "#protocol/addresses.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { serverNow } from "../../lib/server-clock.ts";
import { uploadFile } from "../../lib/upload-queue.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ChooseFile } from "../../ui/file-upload.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { Retry } from "../../ui/retry.tsx";
import { DueText } from "./due-text.tsx";
import classes from "./plan.module.css";
import { SentAndDone } from "./sent-and-done.tsx";

export const dueQuery = api.planner.mine.queryOptions({ refetchOnWindowFocus: "always" });

/** Returns the number of things to do, and the time until the next one: "5 things to do, the next in 3 days". */
function headline(things: readonly DueThing[]): string {
  const number = things.length === 1 ? "1 thing to do" : `${things.length} things to do`;
  const [next] = things;
  if (!next?.due) return number;
  const when = dueWords(next.due, new Date(serverNow()));
  if (things.length === 1) return `${number}, ${when}`;
  return `${number}, the ${when.startsWith("overdue") ? "first" : "next"} ${when}`;
}

/** Number of things listed initially, so that a long list doesn't push everything else off the screen. */
const mostAtFirst = 5;

/** Whether it belongs to an offer, with which an application's page shows it. */
const isAboutOffer = ({ kind }: DueThing) => kind === "offer" || kind === "deposit" || kind === "condition";

/**
 * Everything that the student still has to do, or for one application everything that its offer doesn't show, and below
 * it what they have sent and done. Shows nothing if there is nothing.
 */
export function DueThings({ applicationId }: { applicationId?: string }) {
  const headingId = useId();
  const [isExpanded, setExpanded] = useState(false);
  const viewer = useViewer();
  const { data, error, refetch } = useQuery(dueQuery);
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data || !viewer) return null;
  const things = data.things.filter(
    (each) => applicationId === undefined || (each.applicationId === applicationId && !isAboutOffer(each)),
  );
  return (
    <>
      {things.length > 0 && (
        <section id="due" tabIndex={-1} className={classes.due} aria-labelledby={headingId}>
          <h2 id={headingId} className={classes.heading}>
            {headline(things)}
          </h2>
          <ItemList label="Things to do">
            {things.slice(0, isExpanded ? things.length : mostAtFirst).map((thing) => (
              <Thing key={thing.thing} thing={thing} isAmongOthers={applicationId === undefined} />
            ))}
          </ItemList>
          {things.length > mostAtFirst && (
            <Button size="compact-md" variant="subtle" onClick={() => setExpanded(!isExpanded)}>
              {isExpanded ? "Show fewer" : `Show all ${things.length}`}
            </Button>
          )}
        </section>
      )}
      <SentAndDone studentId={viewer.id} applicationId={applicationId} />
    </>
  );
}

const refetchPlan = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: api.planner.key() }),
    queryClient.invalidateQueries({ queryKey: api.documents.key() }),
    queryClient.invalidateQueries({ queryKey: api.students.key() }),
  ]);

/** Whether the title of this kind already names the application. */
const namesApplication = (kind: string) => kind === "offer" || kind === "deposit";

/** `isAmongOthers`: the list has things of other applications too, so each names its application. */
function Thing({ thing, isAmongOthers }: { thing: DueThing; isAmongOthers: boolean }) {
  const { applicationId, application, kind, title, text, again, due, document } = thing;
  return (
    <Item
      name={document === null ? title : `Send: ${title}`}
      level={3}
      details={
        <>
          {text && <p>{again ? `${kind === "task" ? "Reopened" : "Sent back"}: ${text}` : text}</p>}
          {due && <DueText due={due} />}
          {application && isAmongOthers && !namesApplication(kind) && (
            <p>For {applicationName(application)}</p>
          )}
        </>
      }
      actions={
        <>
          {kind === "task" && <FinishTask thing={thing} />}
          {document !== null && <SendFile thing={thing} />}
          {document === null && kind !== "task" && (
            <LinkButton
              to={applicationPath(applicationId ?? "")}
              size="compact-md"
              aria-label={`See the offer: ${title}`}
            >
              See the offer
            </LinkButton>
          )}
          {due && !due.hard && <MuteThing thing={thing} />}
        </>
      }
    />
  );
}

/** Sends a file as soon as it is chosen. */
function SendFile({ thing: { id, document, title } }: { thing: DueThing }) {
  const sending = useMutation({
    mutationFn: (file: File) =>
      uploadFile(
        document === "other" ? `/files/requests/${id}` : `/files/documents/${document}`,
        file,
        () => {},
      ),
    onSuccess: () => announce(`${title} sent. We'll check it.`),
    onSettled: refetchPlan,
  });
  return (
    <>
      <ChooseFile
        label={`Choose and send ${title}`}
        accept=".pdf,.jpg,.jpeg,.png"
        size="compact-md"
        variant="filled"
        disabled={sending.isPending}
        onChoose={([file]) => file && sending.mutate(file)}
      >
        {sending.isPending ? "Sending..." : "Choose and send"}
      </ChooseFile>
      <ErrorModal title="Not sent" error={sending.error} onClose={sending.reset} />
    </>
  );
}

function FinishTask({ thing: { id, version, title } }: { thing: DueThing }) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.planner.moveTask({ taskId: id, version, to: "done" }),
    onSuccess: () => announce(`${title}: done.`),
    onSettled: refetchPlan,
  });
  return (
    <>
      <Button
        size="compact-md"
        disabled={isPending}
        aria-label={`Mark as done: ${title}`}
        onClick={() => mutate()}
      >
        {isPending ? "Saving..." : "Mark as done"}
      </Button>
      <ErrorModal title="Error" error={error} onClose={reset} />
    </>
  );
}

function MuteThing({ thing: { thing, muted, title } }: { thing: DueThing }) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.planner.mute({ thing, muted: !muted }),
    onSettled: refetchPlan,
  });
  const label = muted ? "Remind me again" : "Stop reminding me";
  return (
    <>
      <Button
        size="compact-md"
        variant="subtle"
        disabled={isPending}
        aria-label={`${label}: ${title}`}
        onClick={() => mutate()}
      >
        {label}
      </Button>
      <ErrorModal title="Error" error={error} onClose={reset} />
    </>
  );
}
