import { useIsStudent } from "../../../lib/viewer.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { type UsedFilter, usedFilters } from "./filters.tsx";
import classes from "./nothing.module.css";
import { everything, isNarrowed, useCounts, useStudentProgrammes, type ViewProps } from "./programme-view.ts";

const programmesText = (count: number): string =>
  count === 1 ? "1\u00a0programme" : `${count.toLocaleString("en")}\u00a0programmes`;

/** Joins a filter with that of the outcome, because the counts without a filter are for all outcomes. */
const both = ({ name, label, without }: UsedFilter, outcome: UsedFilter): UsedFilter => ({
  name,
  label: `${label} and ${outcome.label}`,
  without: { ...without, ...outcome.without },
});

/** Says why a list is empty: the number of programmes that each filter hides, with a button that removes it. */
export function Nothing({ view, onChange }: ViewProps) {
  const { data: newest, isPlaceholderData } = useCounts(view);
  // The former view's counts say nothing about this one.
  const counts = isPlaceholderData ? undefined : newest;
  const isStudent = useIsStudent();
  const { outcomes } = useStudentProgrammes(view);
  if (!isNarrowed(view))
    return (
      <EmptyState
        title="No programmes yet"
        text="Programmes will be here as soon as they are in the catalogue. Until then, search in six countries."
      >
        <LinkButton to="/explore">Explore programmes</LinkButton>
      </EmptyState>
    );
  const words: UsedFilter[] =
    view.search.trim() === ""
      ? []
      : [{ name: "search", label: `the words “${view.search.trim()}”`, without: { search: "" } }];
  const ofOutcome = usedFilters(view, isStudent).find(({ name }) => name === "outcome");
  const others = [...words, ...usedFilters(view, false)].flatMap((filter) => {
    const count = counts?.without[filter.name] ?? 0;
    return count > 0 ? [{ ...(ofOutcome ? both(filter, ofOutcome) : filter), count }] : [];
  });
  const ofAll = outcomes ? Object.values(outcomes).reduce((sum, count) => sum + count, 0) : 0;
  const choices = [...others, ...(ofOutcome && ofAll > 0 ? [{ ...ofOutcome, count: ofAll }] : [])];
  return (
    <EmptyState
      title="No programme has all of this"
      text={
        choices.length > 1
          ? "There are some if you drop one of these:"
          : choices.length === 1
            ? "There are some if you drop this:"
            : counts
              ? "No single filter hides them: dropping any one of them still leaves nothing."
              : "There may be some with fewer words or filters."
      }
    >
      <div className={classes.choices}>
        {choices.map(({ name, label, count, without: change }) => (
          <Button key={name} variant="default" onClick={() => onChange(change)}>
            Without {label}: {programmesText(count)}
          </Button>
        ))}
        <Button variant={choices.length > 0 ? "subtle" : "default"} onClick={() => onChange(everything)}>
          Clear all filters
        </Button>
      </div>
    </EmptyState>
  );
}
