import { useMutation, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { Application, Confirmation as Stand } from "#contract/applications.ts";
import type { ApplicationState } from "#domain/application.ts";
import { type Mover, nextSteps, sendsApplication } from "#domain/application-step.ts";
import { requestTitle } from "#domain/document-request.ts";
import { hasCode } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { formatDate, formatMoment } from "../../lib/format-date.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { EnteredBy } from "../../ui/entered-by.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { MailboxCode } from "../../ui/form/mailbox-code.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./confirmation.module.css";

type Level = "h3" | "h4";
type ConfirmationProps = {
  application: Application;
  mover: Mover;
  /** The level of its heading, one below that of the surrounding part. */
  heading?: Level;
};

/** Whether the next step may send the application, which requires the student to confirm the list first. */
export const isAboutToBeSent = (state: ApplicationState) => nextSteps("agent", state).some(sendsApplication);

/** Shows the list that will be or was sent to the university, and whether the student has confirmed it. */
export function Confirmation({
  application: { id: applicationId, state },
  mover,
  heading = "h4",
}: ConfirmationProps) {
  const isOffered = isAboutToBeSent(state);
  const wasSent = !isOffered && state !== "submitted";
  const { data, error, refetch } = useQuery({
    ...api.applications.confirmation.queryOptions({ input: { applicationId } }),
    enabled: isOffered || wasSent,
  });
  if (!isOffered && data?.state !== "sent") return null;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={44} label="Loading what will be sent" />;
  // Students see the list only once they are asked to confirm it.
  if (mover === "student" && data.state === "none") return null;
  return <Loaded applicationId={applicationId} stand={data} mover={mover} heading={heading} />;
}

const forStudent: Record<Stand["state"], string> = {
  none: "",
  asked: "Please check this list. Nothing is sent to the university until you've confirmed it.",
  confirmed: "You've confirmed this list. If anything on it changes, we'll ask you again.",
  outdated:
    "Something on this list has changed. Nothing is sent to the university until you've confirmed it as it is now.",
  sent: "This went to the university.",
};
const forStaff: Record<Stand["state"], string> = {
  none: "The student confirms this list before it's sent to the university.",
  asked: "Waiting for the student to confirm this list.",
  confirmed: "The student has confirmed this list.",
  outdated: "The list has changed since, and the student is asked to confirm it as it is now.",
  sent: "This went to the university.",
};

type LoadedProps = { applicationId: string; stand: Stand; mover: Mover; heading: Level };

function Loaded({ applicationId, stand, mover, heading: Heading }: LoadedProps) {
  const titleId = useId();
  const isStudent = mover === "student";
  const refetchLists = () =>
    Promise.all(
      [api.applications.key(), api.students.key()].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  const { mutate, isPending, error, reset } = useMutation({
    // Names the list that the student saw by its hash, because it may change meanwhile.
    mutationFn: (hash: string) =>
      isStudent
        ? rpc.applications.confirmList({ applicationId, hash })
        : rpc.applications.askConfirmation({ applicationId }),
    onSuccess: () =>
      announce(isStudent ? "Confirmed. Your agent can send it now." : "The student has been asked."),
    onSettled: refetchLists,
  });
  const { state, hash, list, askedAt, confirmedAt, sentAt } = stand;
  const needsCode = hasCode(error, "account/mailbox-code");
  const mayAct = state === "outdated" || state === (isStudent ? "asked" : "none");
  return (
    <section className={classes.confirmation} aria-labelledby={titleId} data-state={state}>
      <Heading id={titleId} className={classes.title}>
        {state === "sent" ? "What was sent" : "What will be sent"}
      </Heading>
      <p className={classes.words}>{(isStudent ? forStudent : forStaff)[state]}</p>
      <dl className={classes.list}>
        <dt>Programme</dt>
        <dd>{list.program}</dd>
        {list.university !== "" && (
          <>
            <dt>University</dt>
            <dd>{list.university}</dd>
          </>
        )}
        <dt>Intake</dt>
        <dd>
          {list.startDate} {list.year}
        </dd>
        <dt>Documents</dt>
        <dd>
          {list.documents.length === 0 ? (
            state === "sent" ? (
              "None."
            ) : (
              "None uploaded yet."
            )
          ) : (
            <ul>
              {list.documents.map(({ kind, name, id, version, enteredBy }) => (
                <li key={id}>
                  {requestTitle({ kind, name })}{" "}
                  <code className={classes.version}>version {version.slice(0, 8)}</code>
                  {enteredBy && (
                    <span className={classes.when}>
                      {" "}
                      <EnteredBy by={enteredBy} at={null} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </dd>
      </dl>
      {state === "confirmed" && confirmedAt && (
        <p className={classes.when}>Confirmed {formatMoment(confirmedAt)}</p>
      )}
      {state === "sent" && sentAt && (
        <p className={classes.when}>
          Sent {formatMoment(sentAt)} ·{" "}
          {confirmedAt
            ? `confirmed by ${isStudent ? "you" : "the student"} ${formatMoment(confirmedAt)}`
            : "without a confirmation, as the timeline says"}
        </p>
      )}
      {state === "outdated" && confirmedAt && (
        <p className={classes.when}>Changed since it was confirmed {formatMoment(confirmedAt)}</p>
      )}
      {state === "asked" && askedAt && <p className={classes.when}>Asked {formatDate(askedAt)}</p>}
      {mayAct && needsCode && (
        <MailboxCode
          purpose="confirm this list"
          action="Confirm this list"
          onConfirmed={() => mutate(hash)}
        />
      )}
      {mayAct && !needsCode && (
        <Button
          variant={isStudent ? "filled" : "default"}
          size="compact-md"
          disabled={isPending}
          onClick={() => mutate(hash)}
        >
          {isStudent
            ? isPending
              ? "Confirming..."
              : "Confirm this list"
            : isPending
              ? "Asking..."
              : "Ask the student to confirm"}
        </Button>
      )}
      <ErrorModal title="Application Error" error={needsCode ? null : error} onClose={reset} />
    </section>
  );
}
