import type { ProgrammePage } from "#contract/programmes.ts";
import { groupsFirst, ownDeadlines } from "#domain/intake.ts";
import { type IntakeDeadlineKind, startDay } from "#domain/programme.ts";
import { Clocks } from "../../plan/due-text.tsx";
import { OutcomeBadge } from "../outcomes.tsx";
import { useAnswers } from "../programme/answers.ts";
import { Ways } from "../programme/requirements.tsx";

type OwnWaysProps = { programme: ProgrammePage; intake: ProgrammePage["intakes"][number] | undefined };

/** The ways into a programme of a comparison, with the student's own answers for the intake that it shows. */
export function OwnWays({ programme: { id, requirementSets, judgedFor }, intake }: OwnWaysProps) {
  const { data } = useAnswers(id, intake && startDay(intake) !== judgedFor ? intake.id : undefined);
  if (requirementSets.length === 0) return "Nobody has entered them yet.";
  return (
    <>
      {data && <OutcomeBadge outcome={data.outcome} />}
      <Ways sets={requirementSets} answered={data?.sets} isDense />
    </>
  );
}

type OwnDeadlinesProps = {
  programme: ProgrammePage;
  kind: IntakeDeadlineKind;
  deadlines: ProgrammePage["intakes"][number]["deadlines"];
};

/** The deadlines of one kind, one for each group of nationalities, with a student's own marked. */
export function OwnDeadlines({ programme: { id, institution }, kind, deadlines }: OwnDeadlinesProps) {
  const groups = useAnswers(id).data?.groups ?? [];
  if (deadlines.length === 0) return "Not known";
  const own = groups.length > 0 ? ownDeadlines(deadlines, kind, groups) : [];
  return (
    <ul>
      {groupsFirst(deadlines).map((deadline) => (
        <li key={deadline.group}>
          {deadlines.length > 1 && (
            <strong>
              {deadline.group ?? "Everybody else"}
              {own.includes(deadline) && " (yours)"}:{" "}
            </strong>
          )}
          <Clocks due={{ ...deadline, zone: institution.zone, whose: "institution" }} />
        </li>
      ))}
    </ul>
  );
}
