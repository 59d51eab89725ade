import { useMutation } from "@tanstack/react-query";
import type { StudentRow } from "#contract/students.ts";
import { announce } from "../../lib/announce.ts";
import { isDisabledNow, isEnabledAgain } from "../../lib/disabling.ts";
import { dropDraft } from "../../lib/drafts.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { handoverDraft } from "./handover-note.tsx";

/** `agentId` is null for no agent; `note` is for the next one, and may be empty. */
type Successor = { agentId: string | null; note: string };

async function assign({ id, name, agent }: StudentRow, { agentId, note }: Successor): Promise<string> {
  await rpc.students.assign({ studentId: id, agentId, expectedAgentId: agent?.id ?? null, note });
  dropDraft(handoverDraft(id));
  return agentId === null ? `${name} no longer has an agent.` : "Agent assigned successfully!";
}

async function setDisabled({ id, name }: StudentRow, disabled: boolean): Promise<string> {
  await rpc.students.setDisabled({ userId: id, disabled });
  return disabled ? isDisabledNow(name) : isEnabledAgain(name);
}

type Change = { student: StudentRow; carryOut: () => Promise<string> };

/** Carries out changes one at a time, announces the result, and refetches even after a failure, such as a conflict. */
export function useChange() {
  const { mutate, variables, isPending, error, reset } = useMutation({
    mutationFn: ({ carryOut }: Change) => carryOut(),
    onSuccess: (message) => announce(message),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.students.key() }),
  });
  return {
    /** `after` is called when it is over, even if it failed. */
    assign: (student: StudentRow, successor: Successor, after: () => void) =>
      mutate({ student, carryOut: () => assign(student, successor) }, { onSettled: after }),
    setDisabled: (student: StudentRow, disabled: boolean) =>
      mutate({ student, carryOut: () => setDisabled(student, disabled) }),
    /** The id of the student who is being changed at the moment. */
    pending: isPending ? variables.student.id : null,
    failure: error,
    clearFailure: reset,
  };
}
