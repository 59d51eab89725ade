import { useQuery } from "@tanstack/react-query";
import type { ProgrammePage } from "#contract/programmes.ts";
import { programmeLimits } from "#domain/programme.ts";
import { useQueryOfAddress } from "../../lib/hydration.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { api } from "../../lib/rpc.ts";
import { useIsStudent } from "../../lib/viewer.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CompareTable } from "./compare/compare-table.tsx";
import classes from "./compare.module.css";
import { choosePath } from "./paths.ts";
import { slugsIn } from "./slugs.ts";

const title = "Compare programmes";

export const meta = () => pageMeta(title);

/** Up to four programmes side by side. The address has them and perhaps one start, so that it can be shared. */
export default function Compare() {
  const params = useQueryOfAddress();
  const slugs = slugsIn(params.getAll("p").join(","));
  return (
    <Page wide title={title}>
      {slugs.length === 0 ? <NothingChosen /> : <Chosen slugs={slugs} start={params.get("start")} />}
    </Page>
  );
}

function Chosen({ slugs, start }: { slugs: readonly string[]; start: string | null }) {
  const { data, error, refetch } = useQuery(
    api.programmes.compare.queryOptions({ input: { slugs: [...slugs] } }),
  );
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={480} label="Loading the comparison" />;
  if (data.programmes.length === 0) return <NothingChosen />;
  return <Compared {...data} start={start} />;
}

type ComparedProps = { programmes: readonly ProgrammePage[]; missing: number; start: string | null };

function Compared({ programmes, missing, start }: ComparedProps) {
  useLive(useIsStudent() ? "dashboard" : null);
  const slugs = programmes.map(({ slug }) => slug);
  return (
    <>
      <div className={classes.head}>
        <p className={classes.lead}>
          Rows that differ are marked. To show somebody this comparison, send them this page's address.
        </p>
        <div className={classes.actions}>
          {programmes.length < programmeLimits.compared && (
            <LinkButton size="sm" to={choosePath(slugs, start)}>
              Add another
            </LinkButton>
          )}
          <Button variant="default" onClick={() => window.print()}>
            Print
          </Button>
        </div>
      </div>
      {missing > 0 && (
        <Notice>
          {missing === 1
            ? "One programme of this comparison does"
            : `${missing} programmes of this comparison do`}{" "}
          not exist.
        </Notice>
      )}
      <CompareTable programmes={programmes} start={start} />
    </>
  );
}

const NothingChosen = () => (
  <EmptyState
    title="Nothing to compare yet"
    text={`Press Compare on up to ${programmeLimits.compared} programmes in the list to see them here side by side.`}
  >
    <LinkButton primary to="/programmes">
      See all programmes
    </LinkButton>
  </EmptyState>
);
