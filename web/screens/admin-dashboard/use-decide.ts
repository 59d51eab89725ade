import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "#domain/error-catalogue.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { dropReason } from "./decision-dialog.tsx";
import { type Decided as About, type Answers, type Decision, decisions } from "./decisions.ts";

export type Decided = { decision: Decision; agent: About };

const noAnswers: Answers = { reason: "", releaseStudents: false };
const changed = [api.agents.key(), api.accounts.key(), api.overview.key()];
const lookAgain = () => Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));

/** An answer that was asked for before the decision may say what was before it: only a newer one counts. */
async function lookAgainAfter() {
  await Promise.all(changed.map((queryKey) => queryClient.cancelQueries({ queryKey })));
  await lookAgain();
}

/** Failures whose own words say more than that it failed. */
const saysMore = new Set<string>([messageOf["agent/unverified"], messageOf["resource-exhausted"]]);

function failureOf(error: unknown, decision: Decision) {
  const found = friendlyError(error);
  return saysMore.has(found.message) ? found : { ...found, message: decisions[decision].failed };
}

/** Carries out an admin's decisions: asks first where it must, announces the result and refetches. */
export function useDecide() {
  const [asked, setAsked] = useState<Decided | null>(null);
  const { mutate, variables, isPending, error, reset } = useMutation({
    mutationFn: ({ decision, agent, ...answers }: Decided & Answers) =>
      decisions[decision].call({ id: agent.id, ...answers }),
    onSuccess: (_answer, { decision, agent }) => {
      dropReason(agent.id);
      announce(decisions[decision].done(agent));
    },
    // After a failure too: somebody else may have decided first.
    onSettled: lookAgainAfter,
  });
  const carryOut = (decided: Decided, answers: Answers) => mutate({ ...decided, ...answers });

  return {
    /** What waits for a yes; null for nothing. */
    asked,
    pending: isPending ? variables.agent.id : null,
    failure: error && variables ? failureOf(error, variables.decision) : null,
    decide(decided: Decided) {
      if (!decisions[decided.decision].question) return carryOut(decided, noAnswers);
      setAsked(decided);
      // The number of students that the question names is the one of this moment.
      void lookAgain();
    },
    confirm(answers: Answers) {
      if (asked) carryOut(asked, answers);
      setAsked(null);
    },
    cancel: () => setAsked(null),
    clearFailure: reset,
  };
}
