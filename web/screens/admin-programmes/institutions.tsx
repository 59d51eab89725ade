import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogueInstitution } from "#contract/catalogue-institutions.ts";
import { type StudyCountry, studyCountries } from "#domain/application.ts";
import { countryName, studyCountryNames } from "#domain/country.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { AdminNav } from "../admin/admin-nav.tsx";
import table from "../admin/data-table.module.css";
import type { Column } from "../admin/data-table.tsx";
import filters from "../admin/filters.module.css";
import { ChoiceFilter, TextFilter } from "../admin/filters.tsx";
import { PagedTable } from "../admin/paged-table.tsx";
import { EditInstitution } from "./edit-institution.tsx";
import { JoinInstitution } from "./join-institution.tsx";
import { DifferentInstitutions, SimilarInstitutions } from "./similar-institutions.tsx";

export const meta = () => pageMeta("Institutions");

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

/** The institutions of the catalogue, with possible duplicates. */
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
          labels={studyCountryNames}
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
      <SimilarInstitutions />
      <DifferentInstitutions />
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
  { title: "Place", holds: "long", render: ({ place }) => place },
  { title: "Clock", holds: "short", render: ({ zone }) => zone.replaceAll("_", " ") },
  { title: "Programmes", holds: "number", render: ({ programmes }) => programmes.toLocaleString("en") },
  {
    title: "Actions",
    acts: true,
    wide: true,
    render: (institution) => (
      <div className={table.actions}>
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
