import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { AgentChangeRequest } from "#contract/agents.ts";
import { agentChangeLimits, type ChangeDecision, changeReasonProblem } from "#domain/agent-change.ts";
import { announce } from "../../lib/announce.ts";
import { formatDate } from "../../lib/format-date.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { AgentPicker } from "../manage-students/agent-picker.tsx";
import classes from "./change-requests.module.css";

const requestsQuery = api.agents.changeRequests.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
});

async function decide({ id }: AgentChangeRequest, decision: ChangeDecision): Promise<void> {
  try {
    await rpc.agents.decideChange({ requestId: id, ...decision });
    announce("Answered. The student has been notified.");
  } finally {
    await Promise.all(
      [api.agents.key(), api.students.key()].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
  }
}

/** Returns the query of the students who ask for another agent. */
export const useChangeRequests = () => useInfiniteQuery(requestsQuery);

type Choice = { request: AgentChangeRequest; outcome: "another" | "none" | "stays" };

/** Students who ask for another agent. Takes up no room while none waits. */
export function ChangeRequests() {
  const titleId = useId();
  const query = useChangeRequests();
  const [choice, setChoice] = useState<Choice | null>(null);
  const close = () => setChoice(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ request, ...decision }: { request: AgentChangeRequest } & ChangeDecision) =>
      decide(request, decision),
    onSettled: close,
  });
  const requests = query.data?.pages.flatMap((page) => page.requests) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  const chosenFor = (outcome: Choice["outcome"]) => (choice?.outcome === outcome ? choice.request : null);
  const [another, none, stays] = [chosenFor("another"), chosenFor("none"), chosenFor("stays")];
  return (
    <>
      {total > 0 && (
        <section aria-labelledby={titleId} className={classes.section}>
          <h2 id={titleId} className={classes.title}>
            Requests for another agent ({total})
          </h2>
          <ItemList label="Requests for another agent">
            {requests.map((request) => (
              <RequestItem
                key={request.id}
                request={request}
                busy={isPending}
                onChoose={(outcome) => setChoice({ request, outcome })}
              />
            ))}
          </ItemList>
          <ShowMore query={query} />
        </section>
      )}
      <Dialog
        wide
        opened={another !== null}
        onClose={close}
        title={another ? `Another agent for ${another.student.name}` : ""}
      >
        {another && (
          <AgentPicker
            busy={isPending}
            currentId={another.agent?.id ?? null}
            onChoose={({ id: agentId }) =>
              mutate({ request: another, outcome: "another", agentId, reason: "" })
            }
          />
        )}
      </Dialog>
      <ConfirmModal
        question={
          none && {
            title: "Leave without an agent",
            text: `${none.student.name} will have no agent until somebody takes them on. Both will be notified.`,
            action: "Remove agent",
          }
        }
        onConfirm={() => none && mutate({ request: none, outcome: "none", agentId: null, reason: "" })}
        onCancel={close}
      />
      <ReasonDialog
        opened={stays !== null}
        title={stays ? `${stays.agent?.name ?? "The agent"} stays` : ""}
        draft={`agent stays ${stays?.id}`}
        maxLength={agentChangeLimits.reason}
        check={changeReasonProblem}
        send={async (reason) => {
          if (stays) await decide(stays, { outcome: "stays", agentId: null, reason });
        }}
        action={{ text: "Send answer", busyText: "Sending..." }}
        errorTitle="Answer not sent"
        onClose={close}
      >
        {stays?.student.name} will read this reason. The agent isn't told.
      </ReasonDialog>
      <ErrorModal title="Error" error={error} onClose={reset} />
    </>
  );
}

type RequestItemProps = {
  request: AgentChangeRequest;
  busy: boolean;
  onChoose: (outcome: Choice["outcome"]) => void;
};

function RequestItem({ request, busy, onChoose }: RequestItemProps) {
  const { student, agent, reason, askedAt, dueAt, overdue } = request;
  const buttons = [
    { outcome: "another", label: "Another agent" },
    { outcome: "none", label: "No agent" },
    { outcome: "stays", label: "Agent stays" },
  ] as const;
  return (
    <Item
      name={student.name}
      level={3}
      details={
        <>
          <p>
            Agent: {agent?.name ?? "a former member"} · Asked {formatDate(askedAt)} ·{" "}
            <span className={classes.due} data-late={overdue || undefined}>
              {overdue ? `Overdue since ${formatDate(dueAt)}` : `Answer by ${formatDate(dueAt)}`}
            </span>
          </p>
          <p className={classes.reason}>{reason}</p>
        </>
      }
      actions={buttons.map(({ outcome, label }) => (
        <Button
          key={outcome}
          variant="default"
          disabled={busy}
          aria-label={`${label}: ${student.name}`}
          onClick={() => onChoose(outcome)}
        >
          {label}
        </Button>
      ))}
    />
  );
}
