import { useState } from "react";
import type { Application } from "#contract/applications.ts";
import type { ApplicationState } from "#domain/application.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { type Failure, failureOf } from "../../ui/failure.ts";

const lookAgain = () => queryClient.invalidateQueries({ queryKey: api.applications.key() });

export type Moving = ReturnType<typeof useMove>;

/**
 * Takes steps with the applications of a list. What went wrong is kept here and not with the one application: it may
 * have moved on by then, and the form that was sent is gone with its old state.
 */
export function useMove() {
  const [pending, setPending] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  /** True when it moved; what is wrong with the note is thrown, for the form that it stands in. */
  async function move(application: Application, to: ApplicationState, note = ""): Promise<boolean> {
    const { id: applicationId, version } = application;
    setPending(applicationId);
    try {
      await rpc.applications.move({ applicationId, version, to, note });
      await lookAgain();
      return true;
    } catch (error) {
      const found = failureOf(error);
      if (found.field !== null) throw error;
      setFailure(found);
      await lookAgain();
      return false;
    } finally {
      setPending(null);
    }
  }

  return { pending, failure, move, clearFailure: () => setFailure(null) };
}
