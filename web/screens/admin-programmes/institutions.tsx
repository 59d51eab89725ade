import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogueInstitution } from "#contract/catalogue.ts";
import { type StudyCountry, studyCountries } from "#domain/application.ts";
import { countryName } from "#domain/country.ts";
import { announce } from "../../lib/announce.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { Page } from "../../ui/page.tsx";
import { AdminNav } from "../admin/admin-nav.tsx";
import table from "../admin/data-table.module.css";
import type { Column } from "../admin/data-table.tsx";
import filters from "../admin/filters.module.css";
import { ChoiceFilter, TextFilter } from "../admin/filters.tsx";
import { PagedTable } from "../admin/paged-table.tsx";
import { EditInstitution } from "./edit-institution.tsx";
import { JoinInstitution } from "./join-institution.tsx";
import classes from "./programmes.module.css";

export const meta = () => pageMeta("Institutions");

const countryLabels: Record<StudyCountry, string> = {
  CA: countryName("CA"),
  IE: countryName("IE"),
  AE: countryName("AE"),
  GB: countryName("GB"),
  US: countryName("US"),
};
type View = { search: string; country: StudyCountry | null };
const readView = (params: URLSearchParams): View => ({
  search: (params.get("search") ?? "").slice(0, 200),
  country: studyCountries.find((each) => each === params.get("country")) ?? null,
});

const institutionsQuery = ({ search, country }: View) =>
  api.catalogue.institutions.infiniteOptions({
    input: (cursor: string | undefined) => ({ search, country: country ?? undefined, cursor }),
    ...paged,
    select: ({ pages }) => pages.flatMap(({ institutions }) => institutions),
  });
const refetchAll = () => queryClient.invalidateQueries({ queryKey: api.catalogue.key() });

/** The institutions of the catalogue, with those that may be one. */
export default function Institutions() {
  const [view, onChange] = useAddressView(readView, {});
  const query = useInfiniteQuery({ ...institutionsQuery(view), placeholderData: keepPreviousData });
  const [edited, setEdited] = useState<CatalogueInstitution | "new" | null>(null);
  const [joined, setJoined] = useState<CatalogueInstitution | null>(null);
  return (
    <Page wide title="Institutions">
      <AdminNav />
      <search className={`${filters.filters} ${filters.three}`}>
        <div className={filters.wide}>
          <TextFilter
            label="Search institutions"
            placeholder="Name or place..."
            maxLength={200}
            value={view.search}
            onChange={(search) => onChange({ search })}
          />
        </div>
        <ChoiceFilter
          label="Country"
          all="All countries"
          labels={countryLabels}
          options={studyCountries}
          value={view.country}
          onChange={(country) => onChange({ country })}
        />
        <Button variant="default" aria-haspopup="dialog" onClick={() => setEdited("new")}>
          Add an institution
        </Button>
      </search>
      <PagedTable
        label="Institutions"
        loading="Loading institutions"
        query={query}
        columns={columnsWith(setEdited, setJoined)}
        empty={
          <EmptyState
            title="No institutions"
            text="Add one, or import programmes, which bring theirs along."
          />
        }
      />
      <Similar />
      <EditInstitution of={edited} onClose={() => setEdited(null)} />
      <JoinInstitution from={joined} onClose={() => setJoined(null)} />
    </Page>
  );
}

type Act = (of: CatalogueInstitution) => void;
const columnsWith = (onEdit: Act, onJoin: Act): Column<CatalogueInstitution>[] => [
  {
    title: "Institution",
    holds: "long",
    render: ({ name, otherNames }) => (
      <span>
        {name} {otherNames.length > 0 && <span className={table.small}>also {otherNames.join(", ")}</span>}
      </span>
    ),
  },
  { title: "Country", holds: "short", render: ({ country }) => countryName(country) },
  { title: "Place", render: ({ place }) => place },
  { title: "Clock", holds: "short", render: ({ zone }) => zone.replaceAll("_", " ") },
  { title: "Programmes", holds: "number", render: ({ programmes }) => programmes.toLocaleString("en") },
  {
    title: "Actions",
    acts: true,
    wide: true,
    render: (institution) => (
      <div className={classes.acts}>
        <Button
          size="compact-md"
          variant="default"
          aria-haspopup="dialog"
          aria-label={`Edit ${institution.name}`}
          onClick={() => onEdit(institution)}
        >
          Edit
        </Button>
        <Button
          size="compact-md"
          variant="default"
          aria-haspopup="dialog"
          aria-label={`Join ${institution.name} into another`}
          onClick={() => onJoin(institution)}
        >
          Join
        </Button>
      </div>
    ),
  },
];

/** Institutions that may be one, each pair with the choice of which one stays. */
function Similar() {
  const { data } = useQuery(api.catalogue.similarInstitutions.queryOptions());
  const [pair, setPair] = useState<{ from: CatalogueInstitution; into: CatalogueInstitution } | null>(null);
  const joining = useMutation({
    mutationFn: ({ from, into }: NonNullable<typeof pair>) =>
      rpc.catalogue.joinInstitution({ id: from.id, into: into.id }),
    onSuccess: (_, { from, into }) => announce(`${from.name} is now part of ${into.name}.`),
    onSettled: refetchAll,
  });
  if (!data || data.pairs.length === 0) return null;
  return (
    <section aria-labelledby="similar">
      <h2 id="similar" className={classes.heading}>
        Perhaps the same institution twice
      </h2>
      <ItemList label="Pairs">
        {data.pairs.map(({ one, other }) => (
          <Item
            key={`${one.id} ${other.id}`}
            level={3}
            name={`${one.name} and ${other.name}`}
            details={
              <p>
                {countryName(one.country)}: {one.programmes.toLocaleString("en")} and{" "}
                {other.programmes.toLocaleString("en")} programmes.
              </p>
            }
            actions={[one, other].map((into, at) => (
              <Button
                key={into.id}
                size="compact-md"
                variant="default"
                disabled={joining.isPending}
                aria-label={`${at === 0 ? "Keep the first" : "Keep the second"}: ${into.name}`}
                onClick={() => setPair({ from: into === one ? other : one, into })}
              >
                {at === 0 ? "Keep the first" : "Keep the second"}
              </Button>
            ))}
          />
        ))}
      </ItemList>
      <ConfirmModal
        question={
          pair && {
            title: "Join the two?",
            text: `The programmes of ${pair.from.name} move to ${pair.into.name}, which is then found by both names. This can't be undone.`,
            action: "Join them",
          }
        }
        onConfirm={() => {
          if (pair) joining.mutate(pair);
          setPair(null);
        }}
        onCancel={() => setPair(null)}
      />
      <ErrorModal title="Not Joined" error={joining.error} onClose={joining.reset} />
    </section>
  );
}
