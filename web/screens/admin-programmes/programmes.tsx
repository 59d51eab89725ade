import { keepPreviousData, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogueProgramme } from "#contract/catalogue.ts";
import { catalogueLimits } from "#domain/catalogue.ts";
import { countryName } from "#domain/country.ts";
import { programmeEditPath } from "#protocol/addresses.ts";
import { announce } from "../../lib/announce.ts";
import { formatDay } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Page } from "../../ui/page.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AdminNav } from "../admin/admin-nav.tsx";
import table from "../admin/data-table.module.css";
import type { Column } from "../admin/data-table.tsx";
import filters from "../admin/filters.module.css";
import { ChoiceFilter, TextFilter } from "../admin/filters.tsx";
import { PagedTable } from "../admin/paged-table.tsx";
import classes from "./programmes.module.css";
import { Transfers } from "./transfers.tsx";

export const meta = () => pageMeta("Programmes for staff");

const words = { one: "programme", many: "programmes", none: "No programmes match" };
const shownLabels = { unchecked: "Unchecked for 12 months", sample: "Samples", removed: "Removed" };
const selections = ["unchecked", "sample", "removed"] as const;
type Selection = (typeof selections)[number];
type View = { search: string; show: Selection | null };

const readView = (params: URLSearchParams): View => ({
  search: (params.get("search") ?? "").slice(0, 200),
  show: selections.find((each) => each === params.get("show")) ?? null,
});

const programmesQuery = ({ search, show }: View) =>
  api.catalogue.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ search, show: show ?? ("all" as const), cursor }),
    ...paged,
    select: ({ pages }) => pages.flatMap(({ programmes }) => programmes),
  });

/** The programmes of the catalogue for staff: those that were checked longest ago come first. */
export default function Programmes() {
  const [view, onChange] = useAddressView(readView, {});
  const query = useInfiniteQuery({ ...programmesQuery(view), placeholderData: keepPreviousData });
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const rows = query.data ?? [];
  const choosable = rows.flatMap(({ id, removed }) => (removed ? [] : [id]));
  const ids = choosable.filter((id) => selection.has(id));
  const marking = useMutation({
    mutationFn: () => rpc.catalogue.markChecked({ ids: ids.slice(0, catalogueLimits.marked) }),
    async onSuccess({ marked }) {
      setSelection(new Set());
      announce(marked === 1 ? "1 programme is checked today." : `${marked} programmes are checked today.`);
      await queryClient.invalidateQueries({ queryKey: api.catalogue.list.key() });
    },
  });
  const columns = columnsWith(selection, setSelection);
  return (
    <Page wide title="Programmes">
      <AdminNav />
      <search className={`${filters.filters} ${filters.three}`}>
        <div className={filters.wide}>
          <TextFilter
            label="Search programmes"
            placeholder="Title, award or institution..."
            maxLength={200}
            value={view.search}
            onChange={(search) => onChange({ search })}
          />
        </div>
        <ChoiceFilter
          label="Show"
          all="All"
          labels={shownLabels}
          options={selections}
          value={view.show}
          onChange={(show) => onChange({ show })}
        />
        <LinkButton size="sm" to={programmeEditPath("new")}>
          Add a programme
        </LinkButton>
      </search>
      <div className={filters.bar}>
        <ListStatus
          shown={rows.length > 0}
          count={query.isPlaceholderData ? null : (query.data?.length ?? null)}
          more={query.hasNextPage}
          words={words}
        />
        {rows.length > 0 && view.show !== "removed" && (
          <div className={classes.acts}>
            <Button
              size="compact-md"
              variant="default"
              onClick={() => setSelection(new Set(ids.length === 0 ? choosable : []))}
            >
              {ids.length === 0 ? "Choose all shown" : "Choose none"}
            </Button>
            <Button
              size="compact-md"
              disabled={ids.length === 0 || marking.isPending}
              onClick={() => marking.mutate()}
            >
              {ids.length === 0 ? "Checked today" : `Checked today: ${ids.length}`}
            </Button>
          </div>
        )}
      </div>
      <PagedTable
        label="Programmes"
        loading="Loading programmes"
        query={query}
        columns={columns}
        empty={
          <EmptyState title="No programmes" text="Import a file, add one by hand, or try fewer filters." />
        }
      />
      <Transfers />
      <ErrorModal title="Not Marked" error={marking.error} onClose={marking.reset} />
    </Page>
  );
}

function columnsWith(
  selection: ReadonlySet<string>,
  setSelection: (ids: ReadonlySet<string>) => void,
): Column<CatalogueProgramme>[] {
  return [
    {
      title: "Programme",
      holds: "long",
      render: ({ id, title, removed }) => (
        <span className={classes.choice}>
          <input
            type="checkbox"
            className={classes.box}
            aria-label={`Choose ${title}`}
            disabled={removed}
            checked={selection.has(id)}
            onChange={({ currentTarget: { checked } }) =>
              setSelection(
                new Set(checked ? [...selection, id] : [...selection].filter((each) => each !== id)),
              )
            }
          />
          <TextLink to={programmeEditPath(id)}>{title}</TextLink>
        </span>
      ),
    },
    {
      title: "Institution",
      holds: "long",
      wide: true,
      render: ({ institution: { name, country } }) => (
        <span>
          {name} <span className={table.small}>{countryName(country)}</span>
        </span>
      ),
    },
    { title: "Level", holds: "short", render: ({ level }) => level },
    {
      title: "Checked on",
      render: ({ checkedOn, checkedBy }) => (
        <span>
          <span className={table.short}>{formatDay(checkedOn)}</span>
          {checkedBy !== null && <span className={table.small}> by {checkedBy}</span>}
        </span>
      ),
    },
    { title: "Source", render: ({ source }) => source },
    {
      title: "State",
      holds: "short",
      render: ({ removed, sample }) =>
        removed || sample ? (
          <span className={table.wraps}>
            {removed && <StateBadge tone="ended">Removed</StateBadge>}
            {sample && <StateBadge tone="going">Sample</StateBadge>}
          </span>
        ) : null,
    },
  ];
}
