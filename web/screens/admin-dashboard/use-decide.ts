import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentCard } from "#contract/agents.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { type Decision, decisions } from "./decisions.ts";

export type Decided = { decision: Decision; agent: AgentCard };

/** Carries out an admin's decisions: asks first where it must, then tells how it went and looks again. */
export function useDecide() {
  const [asked, setAsked] = useState<Decided | null>(null);
  const { mutate, variables, isPending, error, reset } = useMutation({
    mutationFn: ({ decision, agent }: Decided) => decisions[decision].call({ id: agent.id }),
    onSuccess: (_answer, { decision, agent }) =>
      notifications.show({ message: decisions[decision].done(agent.name) }),
    // After a failure too: somebody else may have decided first.
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.agents.key() }),
  });

  return {
    /** What waits for a yes; null for nothing. */
    question: asked && (decisions[asked.decision].question?.(asked.agent.name) ?? null),
    underWay: isPending ? variables.agent.id : null,
    failure:
      error && variables ? { ...friendlyError(error), message: decisions[variables.decision].failed } : null,
    decide: (decided: Decided) =>
      decisions[decided.decision].question ? setAsked(decided) : mutate(decided),
    confirm: () => {
      if (asked) mutate(asked);
      setAsked(null);
    },
    cancel: () => setAsked(null),
    forgetFailure: reset,
  };
}
