import { IconCheck, IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { calendarDate } from "#domain/calendar-date.ts";
import { strictnessWords } from "#domain/deadline.ts";
import { startMonth, studyModeLabels, teachingLanguageLabels } from "#domain/programme.ts";
import {
  aboutRandWords,
  deadlineAt,
  durationWords,
  feePeriodWords,
  feeWords,
  intakeWords,
  placeWords,
  uncheckedWords,
} from "#domain/programme-words.ts";
import { formatDay } from "../../../lib/format-date.ts";
import { useNow } from "../../../lib/hydration.ts";
import { Pressable } from "../../../ui/button.tsx";
import { StateBadge } from "../../../ui/state-badge.tsx";
import { Clocks } from "../../plan/due-text.tsx";
import { OutcomeBadge } from "../outcomes.tsx";
import { cardPath } from "../paths.ts";
import classes from "./card.module.css";
import type { FoundProgramme, ProgrammeView } from "./programme-view.ts";

type CardProps = {
  programme: FoundProgramme;
  view: ProgrammeView;
  isCompared: boolean;
  /** Undefined once the maximum number is compared. */
  onCompare: (() => void) | undefined;
};

/** One programme of the list, with the facts that distinguish it. */
export function ProgrammeCard({ programme, view, isCompared, onCompare }: CardProps) {
  const { slug, title, institution, nextIntake, applyBy, applyByVaries, checkedOn, sample, outcome, reason } =
    programme;
  const isFiltered = nextIntake !== null && startMonth(nextIntake) === view.intake;
  const titleId = `programme-${programme.id}`;
  return (
    <li className={classes.card}>
      <div className={classes.what}>
        <h2 className={classes.title} id={titleId}>
          <Link to={cardPath(slug, view.compare, isFiltered ? view.intake : null)}>{title}</Link>
        </h2>
        <p className={classes.where}>
          {institution.name} <span className={classes.place}>{placeWords(institution)}</span>
        </p>
        <p className={classes.kind}>{kindWords(programme)}</p>
        <p className={classes.outcome}>
          {outcome && <OutcomeBadge outcome={outcome} />} {reason}
        </p>
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>{programme.tuition?.per === "whole" ? "Tuition" : "Tuition a year"}</dt>
          <Tuition programme={programme} />
        </div>
        <div>
          <dt>{isFiltered ? "Start" : "Next start"}</dt>
          <dd>{nextIntake ? intakeWords(nextIntake) : "None announced"}</dd>
        </div>
        <div>
          <dt>Apply by</dt>
          <dd className={classes.clocks}>
            <ApplyBy applyBy={applyBy} />
            {applyByVaries && (
              <span className={classes.about}>Some nationalities have a date of their own</span>
            )}
          </dd>
        </div>
      </dl>
      <div className={classes.foot}>
        <p>
          Checked on {formatDay(checkedOn)}
          <Unchecked since={checkedOn} />
          {sample && <StateBadge tone="ended">Sample</StateBadge>}
        </p>
        <Pressable
          className={classes.compare}
          aria-pressed={isCompared}
          aria-describedby={titleId}
          disabled={!onCompare}
          onClick={onCompare}
        >
          {isCompared ? <IconCheck size={16} aria-hidden /> : <IconPlus size={16} aria-hidden />}
          Compare
        </Pressable>
      </div>
    </li>
  );
}

/** Omits full-time and English, which are the norm. */
function kindWords({ level, award, months, mode, language }: FoundProgramme): string {
  return [
    level,
    award,
    ...(months === null ? [] : [durationWords(months)]),
    ...(mode === "fullTime" ? [] : [studyModeLabels[mode]]),
    ...(language === "en" ? [] : [`in ${teachingLanguageLabels[language]}`]),
  ]
    .filter((each) => each !== "")
    .join(" · ");
}

/** Says that a programme hasn't been checked for a long time. */
function Unchecked({ since }: { since: string }) {
  const words = uncheckedWords(since, calendarDate(useNow()));
  return words && <StateBadge tone="asks">{words}</StateBadge>;
}

/** The date by which to apply. A past date isn't shown, as if it were still possible to apply. */
function ApplyBy({ applyBy }: { applyBy: FoundProgramme["applyBy"] }) {
  const now = useNow();
  if (!applyBy) return "Not known";
  const { at, zone, hard } = applyBy;
  if (at > now) return <Clocks due={deadlineAt(at, zone, hard)} />;
  return hard ? "Over" : `Over. ${strictnessWords(hard)}`;
}

function Tuition({ programme: { tuition, aboutRand } }: { programme: FoundProgramme }) {
  if (tuition === null) return <dd>Not known</dd>;
  return (
    <dd>
      <strong className={classes.tuition}>{feeWords(tuition.amount, tuition.currency)}</strong>
      {tuition.per === "whole" && (
        <span className={classes.about}>{feePeriodWords({ kind: "tuition", per: tuition.per })}</span>
      )}
      {tuition.per === "year" && tuition.currency !== "ZAR" && (
        <span className={classes.about}>
          {aboutRand === null ? "no rate in rand" : aboutRandWords(aboutRand)}
        </span>
      )}
    </dd>
  );
}
