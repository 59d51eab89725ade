import type { Outcome } from "#domain/outcome.ts";
import { useIsMember, useIsStudent } from "../../../lib/viewer.ts";
import { Pressable } from "../../../ui/button.tsx";
import { Either } from "../../../ui/either.tsx";
import { TextLink } from "../../../ui/text-link.tsx";
import { loginPath } from "../../auctions/login-path.ts";
import { outcomeLabels } from "../outcomes.tsx";
import { recordPath } from "../paths.ts";
import classes from "./own-outcomes.module.css";
import { queryOf, useStudentProgrammes, type ViewProps } from "./programme-view.ts";

/** The outcomes that a student filters by. */
const offered = ["mayEnter", "gap", "notKnown"] as const satisfies readonly Outcome[];

/** For students, filters by the outcome of their record, each with its count; for visitors, a link to log in. */
export function OwnOutcomes(props: ViewProps) {
  const isStudent = useIsStudent();
  const isMember = useIsMember();
  return (
    <Either
      isMember={isMember}
      member={isStudent ? <OutcomeFilters {...props} /> : <p className={classes.line} />}
      visitor={
        <p className={classes.line}>
          <TextLink to={loginPath(`/programmes${queryOf(props.view)}`)}>Log in as a student</TextLink> to see
          which you may enter, and what is missing for the others.
        </p>
      }
    />
  );
}

function OutcomeFilters({ view, onChange }: ViewProps) {
  const { outcomes, error } = useStudentProgrammes(view);
  if (error && !outcomes)
    return (
      <output className={classes.line}>
        We couldn't compare these with your record. The list is as everybody sees it.
      </output>
    );
  return (
    <section className={classes.filters} aria-label="Compared with your record">
      {offered.map((outcome) => (
        <Pressable
          key={outcome}
          className={classes.filter}
          aria-pressed={view.outcome === outcome}
          onClick={() => onChange({ outcome: view.outcome === outcome ? null : outcome })}
        >
          {outcomeLabels[outcome]}{" "}
          <span className={classes.count}>{outcomes ? outcomes[outcome].toLocaleString("en") : "…"}</span>
        </Pressable>
      ))}
      <TextLink to={recordPath}>Your record</TextLink>
    </section>
  );
}
