import type { FitsOfList, StudentRow } from "#contract/student-rows.ts";
import { dayWords } from "#domain/deadline.ts";
import {
  type FitOutcome,
  fitCountsWords,
  fitOutcomeLabels,
  fitOutcomes,
  maxCompared,
} from "#domain/student-fit.ts";
import { Button } from "../../ui/button.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./fit-bar.module.css";
import manage from "./manage-students.module.css";
import { type ListView, noFitting } from "./use-list-view.ts";

type FitBarProps = {
  view: ListView;
  /** The outcomes of the students for the programme, once they are known. */
  fits: FitsOfList | null;
  onChange: (changes: Partial<ListView>) => void;
};

const choices: readonly (FitOutcome | null)[] = [null, ...fitOutcomes];

/** The programme with which the listed students are compared, and how many fit; nothing without one. */
export function FitBar({ view, fits, onChange }: FitBarProps) {
  if (view.fits === null) return null;
  return (
    <section className={classes.bar} aria-label="Which students fit">
      {fits && (
        <>
          <p className={classes.programme}>
            Students who fit{" "}
            <TextLink to={`/programmes/${fits.programme.slug}`}>{fits.programme.title}</TextLink>, for a start
            in {dayWords(fits.programme.start, "none").replace(/^1 /, "")}
          </p>
          <output className={classes.counts}>{fitCountsWords(fits.counts)}</output>
          {fits.more && (
            <p className={classes.counts}>
              Only the first {maxCompared.toLocaleString("en")} students with a record were compared.
            </p>
          )}
        </>
      )}
      <div className={classes.choices}>
        <fieldset className={manage.filters}>
          <legend className="unseen">Show those who</legend>
          {choices.map((outcome) => (
            <button
              key={outcome ?? "both"}
              type="button"
              className={manage.filter}
              aria-pressed={view.fit === outcome}
              onClick={() => onChange({ fit: outcome, student: null })}
            >
              {outcome === null ? "Both" : fitOutcomeLabels[outcome]}
            </button>
          ))}
        </fieldset>
        <Button variant="subtle" size="compact-md" onClick={() => onChange({ ...noFitting, student: null })}>
          Stop comparing
        </Button>
      </div>
    </section>
  );
}

/** Says how a student of the list fits the programme: "May enter", or the one gap. */
export const FitBadge = ({ fit: { outcome, reason } }: { fit: NonNullable<StudentRow["fit"]> }) => (
  <StateBadge tone={outcome === "mayEnter" ? "good" : "asks"}>
    {reason === "" ? fitOutcomeLabels[outcome] : `${fitOutcomeLabels[outcome]}: ${reason}`}
  </StateBadge>
);
