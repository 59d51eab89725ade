import { programmeLimits } from "#domain/programme.ts";
import { Retry } from "../../../ui/retry.tsx";
import { ShowMore } from "../../../ui/show-more.tsx";
import { Skeleton, Waiting } from "../../../ui/skeleton.tsx";
import { slugsIn } from "../slugs.ts";
import classes from "./card.module.css";
import { ProgrammeCard } from "./card.tsx";
import { Nothing } from "./nothing.tsx";
import { type ProgrammeView, useProgrammes, type ViewProps } from "./programme-view.ts";

/** The programmes of a view, a page at a time. */
export function Results(props: ViewProps) {
  const { view, onChange } = props;
  const { programmes, ...query } = useProgrammes(view);
  const { error, refetch, isPlaceholderData } = query;
  if (!programmes && !error) return <ListSkeleton />;
  if (!programmes) return <Retry error={error} onRetry={() => void refetch()} />;
  // The former view's empty list says nothing about this one.
  if (programmes.length === 0) return isPlaceholderData ? <ListSkeleton /> : <Nothing {...props} />;
  const compared = slugsIn(view.compare);
  const isFull = compared.length >= programmeLimits.compared;
  return (
    <>
      <ul className={classes.list} aria-label="Programmes" aria-busy={isPlaceholderData}>
        {programmes.map((programme) => {
          const { id, slug } = programme;
          const isCompared = compared.includes(slug);
          return (
            <ProgrammeCard
              key={id}
              programme={programme}
              view={view}
              isCompared={isCompared}
              onCompare={isCompared || !isFull ? () => onChange(toggleCompared(slug)) : undefined}
            />
          );
        })}
      </ul>
      <ShowMore query={query} />
    </>
  );
}

/** Returns the change that adds a programme to a view's comparison, or removes it. */
const toggleCompared =
  (slug: string) =>
  ({ compare }: ProgrammeView): Partial<ProgrammeView> => {
    const compared = slugsIn(compare);
    const next = compared.includes(slug) ? compared.filter((each) => each !== slug) : [...compared, slug];
    return { compare: next.join(",") || null };
  };

const rows = ["a", "b", "c", "d"];

const ListSkeleton = () => (
  <Waiting className={classes.list} label="Loading programmes">
    {rows.map((row) => (
      <Skeleton key={row} h={180} />
    ))}
  </Waiting>
);
