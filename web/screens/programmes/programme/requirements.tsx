import {
  IconAlertTriangle,
  IconCheck,
  IconHelpCircle,
  IconUserSearch,
  type TablerIcon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { ProgrammePage } from "#contract/programmes.ts";
import type { Answer } from "#domain/answer.ts";
import type { AnsweredSet } from "#domain/eligibility.ts";
import { shortfallWords } from "#domain/eligibility-words.ts";
import { intakeWords } from "#domain/programme-words.ts";
import {
  type RequirementSet,
  requirementLabels,
  requirementWords,
  scoreWords,
  testAgeWords,
} from "#domain/requirement.ts";
import { useIsStudent, useVisit } from "../../../lib/viewer.ts";
import { TextLink } from "../../../ui/text-link.tsx";
import { loginPath } from "../../auctions/login-path.ts";
import { OutcomeBadge } from "../outcomes.tsx";
import { recordPath } from "../paths.ts";
import { useAnswers } from "./answers.ts";
import { Part } from "./part.tsx";
import classes from "./requirements.module.css";
import type { Start } from "./start.ts";
import { type AnsweredRequirement, answersOfTests, type WayPart, waysOf } from "./ways.ts";

/** The ways into a programme, with the student's own answer beside each requirement. */
export function Requirements({ programme, start }: { programme: ProgrammePage; start: Start }) {
  const { requirementSets, id } = programme;
  const { data, error } = useAnswers(id, start.judgedId);
  if (requirementSets.length === 0)
    return (
      <Part title="Entry requirements">
        <p>Nobody has entered them yet. Your agent or the university's page knows more.</p>
      </Part>
    );
  return (
    <Part title="Entry requirements">
      <p className={classes.lead}>
        {waysOf(requirementSets, undefined).length > 1 ? "One of these ways is enough. " : ""}
        {data && `Compared with your record for a start in ${monthOf(data.judgedFor)}.`}
        {error && "We couldn't compare them with your record just now."}
        <Invitation path={start.path} />
      </p>
      <Ways sets={requirementSets} answered={data?.sets} />
    </Part>
  );
}

const monthOf = (day: string): string =>
  intakeWords({ year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) });

/** Invites visitors to log in, so that the requirements are compared with their record. */
function Invitation({ path }: { path: string }) {
  const visit = useVisit();
  const isStudent = useIsStudent();
  if (isStudent || visit.state !== "known" || visit.viewer) return null;
  return (
    <>
      <TextLink to={loginPath(path)}>Log in as a student</TextLink> to see which of them you meet.
    </>
  );
}

type WaysProps = {
  sets: readonly RequirementSet[];
  answered: readonly AnsweredSet[] | undefined;
  /** Whether it is in a narrow column, without boxes. */
  isDense?: boolean;
};

/** Every way into a programme. `answered` has the answers in the order of the sets. */
export function Ways({ sets, answered, isDense = false }: WaysProps) {
  const Title = isDense ? "h2" : "h3";
  const ways = waysOf(sets, answered);
  return (
    <ol className={classes.ways} data-dense={isDense || undefined}>
      {ways.map(({ outcome, parts }, at) => (
        // The ways have no names, and their order is the author's.
        <li key={parts.map(partKey).join("; ")} className={classes.way}>
          {(ways.length > 1 || (answered && !isDense)) && (
            <div className={classes.head}>
              <Title className={classes.title}>
                {ways.length > 1 ? `Way ${at + 1} of ${ways.length}` : "All of this"}
              </Title>
              {outcome && <OutcomeBadge outcome={outcome} />}
            </div>
          )}
          <ul className={classes.requirements}>
            {parts.map((part) => (
              <li key={partKey(part)} className={classes.requirement}>
                <span className={classes.kind}>{requirementLabels[part[0].requirement.kind]}</span>
                {part.length > 1 ? <Tests tests={part} /> : <Single asked={part[0]} />}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

const partKey = (part: WayPart): string =>
  part.map(({ requirement }) => requirementWords(requirement)).join(" or ");

const Single = ({ asked: { requirement, answer } }: { asked: AnsweredRequirement }) => (
  <>
    <span>{requirementWords(requirement)}</span>
    <AnswerLine answer={answer} />
  </>
);

/** English tests of which one is enough. Their maximum age is shown once, if it is the same for all. */
function Tests({ tests }: { tests: WayPart }) {
  const english = tests.flatMap(({ requirement }) => (requirement.kind === "english" ? [requirement] : []));
  const [first] = english;
  const isSameAge = english.every(({ years }) => years === first?.years);
  const { beside, below } = answersOfTests(tests);
  return (
    <>
      <div>
        One of these tests{first && isSameAge && `, ${testAgeWords(first)}`}:
        <ul className={classes.tests}>
          {english.map((requirement, at) => (
            <li key={requirementWords(requirement)}>
              {isSameAge ? scoreWords(requirement) : requirementWords(requirement)}
              <AnswerLine answer={beside[at]} />
            </li>
          ))}
        </ul>
      </div>
      <AnswerLine answer={below} />
    </>
  );
}

const icons: Record<Answer["kind"], TablerIcon> = {
  met: IconCheck,
  missing: IconAlertTriangle,
  notKnown: IconHelpCircle,
  needsPerson: IconUserSearch,
};

/** Shows the answer of the student's record to one requirement; nothing until it is known. */
function AnswerLine({ answer }: { answer: Answer | undefined }) {
  if (!answer) return null;
  const Icon = icons[answer.kind];
  return (
    <span className={classes.answer} data-kind={answer.kind}>
      <Icon size={18} stroke={1.8} aria-hidden />
      <span>{answerText(answer)}</span>
    </span>
  );
}

function answerText(answer: Answer): ReactNode {
  switch (answer.kind) {
    case "met":
      return answer.why ? `You meet this: ${answer.why}` : "You meet this.";
    case "missing":
      return `Missing: ${answer.shortfalls.map(shortfallWords).join("; ")}.${answer.final ? " It can't change for this start." : ""}`;
    case "notKnown":
      return (
        <>
          Not known. <TextLink to={recordPath}>Enter {answer.enter}</TextLink>
        </>
      );
    case "needsPerson":
      return answer.why === "A person reads this." ? answer.why : `A person reads this: ${answer.why}`;
  }
}
