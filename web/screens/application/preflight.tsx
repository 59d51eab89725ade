import { useQuery } from "@tanstack/react-query";
import type { ProgrammePage } from "#contract/programmes.ts";
import type { Answer } from "#domain/answer.ts";
import { shortfallWords } from "#domain/eligibility-words.ts";
import { currentStateLabels, intakeNow, intakeOfMonth, ownDeadlines } from "#domain/intake.ts";
import type { Outcome } from "#domain/outcome.ts";
import { intakeWords } from "#domain/programme-words.ts";
import { programmePath } from "#protocol/addresses.ts";
import { serverNow } from "../../lib/server-clock.ts";
import { TextLink } from "../../ui/text-link.tsx";
import { Clocks } from "../plan/due-text.tsx";
import { recordPath } from "../programmes/paths.ts";
import { answersQuery } from "../programmes/programme/answers.ts";
import classes from "./applications.module.css";
import type { Origin } from "./origin.ts";

type Answers = { outcome: Outcome; sets: readonly { outcome: Outcome; answers: readonly Answer[] }[] };

/** Returns the answers of the best of the ways into a programme that aren't met. */
function openAnswers({ outcome, sets }: Answers): readonly Answer[] {
  const best = sets.find((set) => set.outcome === outcome);
  return best?.answers.filter(({ kind }) => kind !== "met") ?? [];
}

/**
 * Names the programme that the form was filled from, and the requirements that the student's record doesn't meet. It
 * only warns and blocks nothing.
 */
export function Preflight({ programme, origin }: { programme: ProgrammePage; origin: Origin }) {
  const { title, institution, slug, intakes, removed } = programme;
  const intake = intakes.find(({ id }) => id === origin.intakeId) ?? null;
  const { data } = useQuery(answersQuery(programme.id, origin.intakeId ?? undefined));
  const groups = data?.groups ?? [];
  const now = new Date(serverNow());
  const state = intake && intakeNow(intake, groups, now);
  const dates = intake ? ownDeadlines(intake.deadlines, "applyBy", groups) : [];
  const due = dates.toSorted((one, other) => one.at.getTime() - other.at.getTime())[0];
  const gaps = data ? openAnswers(data) : [];
  return (
    <section className={classes.origin} aria-label="From the catalogue">
      <p className={classes.originLead}>
        Filled in from{" "}
        <TextLink to={programmePath(slug)}>
          {title}, {institution.name}
        </TextLink>
        {intake && `, starting in ${intakeWords(intake)}`}.
      </p>
      {removed && <p>This programme is no longer in the catalogue. Ask your agent before you apply.</p>}
      {state && state !== "open" && (
        <p>
          This start is marked “{currentStateLabels[state]}”. You can apply all the same; your agent will see
          whether it is taken.
        </p>
      )}
      {intake && intakeOfMonth(intake.month) === null && (
        <p>The form has no start in that month. Please choose the nearest one.</p>
      )}
      {due && (
        <p>
          Apply by <Clocks due={{ ...due, zone: institution.zone, whose: "institution" }} />.
        </p>
      )}
      {data && programme.requirementSets.length > 0 && <Gaps answers={gaps} />}
    </section>
  );
}

function Gaps({ answers }: { answers: readonly Answer[] }) {
  if (answers.length === 0) return <p>Your record has what the programme asks for.</p>;
  return (
    <>
      <h3 className={classes.group}>What the programme asks for, compared with your record</h3>
      <ul className={classes.gaps}>
        {answers.map((answer) => (
          <li key={JSON.stringify(answer)}>
            <Gap answer={answer} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Gap({ answer }: { answer: Answer }) {
  switch (answer.kind) {
    case "met":
      return null;
    case "missing":
      return `Missing: ${answer.shortfalls.map(shortfallWords).join("; ")}.`;
    case "notKnown":
      return (
        <>
          Not known: <TextLink to={recordPath}>enter {answer.enter}</TextLink>.
        </>
      );
    case "needsPerson":
      return answer.why === "A person reads this." ? answer.why : `A person reads this: ${answer.why}`;
  }
}
