import type { ProgrammePage } from "#contract/programmes.ts";
import { OutcomeBadge } from "../outcomes.tsx";
import { useAnswers } from "../programme/answers.ts";
import { Ways } from "../programme/requirements.tsx";

/** The ways into a programme of a comparison, with the student's own answers. */
export function OwnWays({ programme: { id, requirementSets } }: { programme: ProgrammePage }) {
  const { data } = useAnswers(id);
  if (requirementSets.length === 0) return "Nobody has entered them yet.";
  return (
    <>
      {data && <OutcomeBadge outcome={data.outcome} />}
      <Ways sets={requirementSets} answered={data?.sets} isDense />
    </>
  );
}
