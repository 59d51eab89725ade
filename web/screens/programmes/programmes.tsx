import { useLive } from "../../lib/live.ts";
import { publicMeta, type QueryDependentHandle } from "../../lib/page-meta.ts";
import { useIsStudent } from "../../lib/viewer.ts";
import { onServer } from "../../load-context.ts";
import type { Route } from "./+types/programmes.ts";
import { CompareBar } from "./compare/compare-bar.tsx";
import { Chips, Filters } from "./find/filters.tsx";
import { OwnOutcomes } from "./find/own-outcomes.tsx";
import {
  filtersOf,
  isTyped,
  type ProgrammeView,
  programmesInput,
  queryOf,
  readView,
  useCounts,
  useLoadedProgrammes,
  useProgrammes,
  useProgrammeView,
} from "./find/programme-view.ts";
import { Results } from "./find/results.tsx";
import classes from "./programmes.module.css";

const lead = "What each course requires and costs, when it starts, and when it was last checked.";

export const meta = () => publicMeta("/programmes", "Programmes abroad", lead);

/** Renders the HTML once per view and shares it. Typed filters and a student's own are left to the browser. */
export const handle: QueryDependentHandle = {
  query: (params) => (isTyped(params) ? "?search=" : queryOf(readView(params))),
};

export async function loader({ context, request }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams;
  const view = readView(params);
  if (isTyped(params)) return { view, page: null, counts: null };
  const { rpc } = context.get(onServer);
  // If this fails, the browser queries again, and shows the error.
  const [page, counts] = await Promise.all([
    rpc.programmes.list(programmesInput(view)).catch(() => null),
    rpc.programmes.counts(filtersOf(view)).catch(() => null),
  ]);
  return { view, page, counts };
}
/** The list itself fetches the programmes for later filters, and keeps its content meanwhile. */
export const shouldRevalidate = () => false;

/** The catalogue of programmes, to search and to compare. */
export default function Programmes({ loaderData: { view: loaded, page, counts } }: Route.ComponentProps) {
  useLoadedProgrammes(loaded, page, counts);
  useLive(useIsStudent() ? "dashboard" : null);
  const [view, onChange] = useProgrammeView();
  const { data: newest } = useCounts(view);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <h1 className={classes.title}>Programmes</h1>
        <p className={classes.lead}>{lead}</p>
      </div>
      <Filters view={view} onChange={onChange} counts={newest} />
      <Chips view={view} onChange={onChange} />
      <div className={classes.line}>
        <ResultCount view={view} />
        <OwnOutcomes view={view} onChange={onChange} />
        {newest?.total !== 0 && (
          <p className={classes.order}>You choose the order. No agreement with a university changes it.</p>
        )}
      </div>
      <Results view={view} onChange={onChange} />
      <CompareBar view={view} onChange={onChange} />
    </div>
  );
}

/** Returns the number of programmes in a view, and of those without a tuition in rand; null while it isn't known. */
function useTotal(view: ProgrammeView): { total: number; unknownFee: number } | null {
  const { outcomes } = useProgrammes(view);
  const { data: counts, isPlaceholderData } = useCounts(view);
  // Fees aren't counted by outcome.
  if (outcomes && view.outcome) return { total: outcomes[view.outcome], unknownFee: 0 };
  return counts && !isPlaceholderData ? counts : null;
}

/** The number of programmes in a view. Empty between two answers, so that screen readers announce it again. */
function ResultCount({ view }: { view: ProgrammeView }) {
  const { programmes, corrected, isPlaceholderData } = useProgrammes(view);
  const newest = useTotal(view);
  const count = isPlaceholderData || programmes === null ? null : newest;
  return (
    <output aria-label="Results" className={classes.count}>
      {count && corrected && `No exact matches for “${view.search.trim()}”. Showing “${corrected}”. `}
      {count && (count.total === 1 ? "1 programme" : `${count.total.toLocaleString("en")} programmes`)}
      {count &&
        count.unknownFee > 0 &&
        `, of which ${count.unknownFee.toLocaleString("en")} without a tuition in rand`}
    </output>
  );
}
