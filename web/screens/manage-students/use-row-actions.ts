import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { StudentRow } from "#contract/students.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { disablingQuestion, enablingQuestion, isDisabledNow, isEnabledAgain } from "../../lib/disabling.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";

/** What can be done from a student's row. */
export type RowActions = {
  toggle: (student: StudentRow) => void;
  shortlist: (student: StudentRow) => void;
  applications: (student: StudentRow) => void;
  assign: (student: StudentRow) => void;
  setDisabled: (student: StudentRow) => void;
  /** The id of the student who is being disabled or enabled at the moment. */
  pending: string | null;
};

/** What is changed about a student: their agent (null: none), or whether their account is disabled. */
type Change =
  | { kind: "agent"; student: StudentRow; agentId: string | null }
  | { kind: "disabled"; student: StudentRow; disabled: boolean };

async function carryOut(change: Change): Promise<string> {
  const { student } = change;
  if (change.kind === "disabled") {
    await rpc.students.setDisabled({ userId: student.id, disabled: change.disabled });
    return change.disabled ? isDisabledNow(student.name) : isEnabledAgain(student.name);
  }
  const expectedAgentId = student.agent?.id ?? null;
  await rpc.students.assign({ studentId: student.id, agentId: change.agentId, expectedAgentId });
  return change.agentId === null ? `${student.name} no longer has an agent.` : "Agent assigned successfully!";
}

/** Carries changes out one at a time, announces the result and refetches: after a failure too, which may be a conflict. */
export function useChange() {
  const { mutate, variables, isPending, error, reset } = useMutation({
    mutationFn: carryOut,
    onSuccess: (message) => announce(message),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.students.key() }),
  });
  return {
    /** `after`: once it is over, well or not. */
    carryOut: (change: Change, after: () => void = () => {}) => mutate(change, { onSettled: after }),
    busy: isPending,
    pending: isPending ? (variables?.student.id ?? null) : null,
    failure: error && friendlyError(error),
    clearFailure: reset,
  };
}

/** Asks before a student's account is disabled or enabled. */
export function useDisabling(change: ReturnType<typeof useChange>) {
  const [asked, setAsked] = useState<StudentRow | null>(null);
  return {
    ask: setAsked,
    question: asked && questionAbout(asked),
    confirm() {
      if (asked) change.carryOut({ kind: "disabled", student: asked, disabled: !asked.disabled });
      setAsked(null);
    },
    cancel: () => setAsked(null),
  };
}

const questionAbout = ({ name, disabled }: StudentRow) =>
  disabled ? enablingQuestion(name) : disablingQuestion(name);
