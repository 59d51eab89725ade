import type { ProgrammePage } from "#contract/programmes.ts";
import { type Deadline, dueWords, isOverdue, strictnessWords } from "#domain/deadline.ts";
import { currentStateLabels, groupsFirst, intakeNow, ownDeadlines } from "#domain/intake.ts";
import {
  type IntakeDeadlineKind,
  type IntakeState,
  intakeDeadlineKinds,
  intakeDeadlineLabels,
} from "#domain/programme.ts";
import { intakeWords } from "#domain/programme-words.ts";
import { useHydrated, useNow } from "../../../lib/hydration.ts";
import { StateBadge, type Tone } from "../../../ui/state-badge.tsx";
import { Clocks } from "../../plan/due-text.tsx";
import { useAnswers } from "./answers.ts";
import classes from "./intakes.module.css";
import { Part } from "./part.tsx";

type Intake = ProgrammePage["intakes"][number];

const intakeTones: Record<IntakeState, Tone> = {
  open: "good",
  notYet: "going",
  full: "ended",
  closed: "ended",
};

/** The starts of a programme with their deadlines, the student's own emphasized. */
export function Intakes({ programme }: { programme: ProgrammePage }) {
  const { intakes, institution, id, removed } = programme;
  const groups = useAnswers(id).data?.groups ?? [];
  if (intakes.length === 0)
    return (
      <Part title="Starts and deadlines">
        <p>No start is announced.</p>
      </Part>
    );
  return (
    <Part title="Starts and deadlines">
      <ul className={classes.intakes}>
        {intakes.map((intake) => (
          <IntakeItem
            key={intake.id}
            intake={intake}
            zone={institution.zone}
            groups={groups}
            removed={removed}
          />
        ))}
      </ul>
    </Part>
  );
}

type KnownProps = { intake: Intake; zone: string; groups: readonly string[] };
type IntakeItemProps = KnownProps & {
  /** Whether the programme has left the catalogue, so that none of its starts is open. */
  removed: boolean;
};

/** One start with its deadlines. */
export function IntakeItem({ intake, zone, groups, removed }: IntakeItemProps) {
  const now = useNow();
  const state = intakeNow(intake, groups, now);
  return (
    <li className={classes.intake}>
      <div className={classes.head}>
        <h3 className={classes.title}>{intakeWords(intake)}</h3>
        {!removed && <StateBadge tone={intakeTones[state]}>{currentStateLabels[state]}</StateBadge>}
      </div>
      {intake.deadlines.length === 0 ? (
        <p className={classes.none}>No deadlines are known.</p>
      ) : (
        <dl className={classes.deadlines}>
          {intakeDeadlineKinds.map((kind) => (
            <DeadlinesOfKind key={kind} kind={kind} intake={intake} zone={zone} groups={groups} />
          ))}
        </dl>
      )}
    </li>
  );
}

/** The deadlines of one kind: the general one, and those of groups of nationalities. */
function DeadlinesOfKind({ kind, intake, zone, groups }: KnownProps & { kind: IntakeDeadlineKind }) {
  const ofKind = groupsFirst(intake.deadlines.filter((each) => each.kind === kind));
  if (ofKind.length === 0) return null;
  const own = ownDeadlines(ofKind, kind, groups);
  const hasGroups = ofKind.some(({ group }) => group !== null);
  return (
    <div className={classes.kind}>
      <dt>{intakeDeadlineLabels[kind]}</dt>
      {ofKind.map(({ group, date, time, hard }) => {
        const isOwn = hasGroups && groups.length > 0 && own.some((each) => each.group === group);
        return (
          <dd key={group} className={classes.deadline} data-own={isOwn || undefined}>
            {hasGroups && (
              <span className={classes.group}>
                {group ?? "Everybody else"}
                {isOwn && " · yours"}
              </span>
            )}
            <Due due={{ date, time, zone, hard, whose: "institution" }} />
          </dd>
        );
      })}
    </div>
  );
}

/** A deadline on both clocks, the time left, and what happens after it. */
function Due({ due }: { due: Deadline }) {
  const isHydrated = useHydrated();
  const now = useNow();
  return (
    <>
      <span>
        <Clocks due={due} />
      </span>
      <span className={classes.far}>
        {isHydrated && (isOverdue(due, now) ? "Over. " : `${capital(dueWords(due, now))}. `)}
        {strictnessWords(due.hard)}
      </span>
    </>
  );
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
