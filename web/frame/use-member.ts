import type { Role } from "#domain/account.ts";
import { useHint } from "../lib/hint.ts";
import { useVisit } from "../lib/viewer.ts";

/** Whose menu to draw: nobody's, or somebody's whose email may still be on the way. */
export type Member = { role: Role; email: string | null };

/** The server's word where it is there, the hint until then. */
export function useMember(): Member | null {
  const visit = useVisit();
  const hint = useHint();
  if (visit.state === "known") return visit.viewer;
  return hint && { role: hint, email: null };
}
