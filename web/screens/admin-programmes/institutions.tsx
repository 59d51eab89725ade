import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogueInstitution } from "#contract/catalogue.ts";
import { type StudyCountry, studyCountries } from "#domain/application.ts";
import { checkInstitutionForm, checkOtherNames, zoneOfCountry } from "#domain/catalogue.ts";
import { countryName } from "#domain/country.ts";
import { programmeLimits } from "#domain/programme.ts";
import { announce } from "../../lib/announce.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { SelectField, TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { Page } from "../../ui/page.tsx";
import { AdminNav } from "../admin/admin-nav.tsx";
import table from "../admin/data-table.module.css";
import type { Column } from "../admin/data-table.tsx";
import filters from "../admin/filters.module.css";
import { ChoiceFilter, TextFilter } from "../admin/filters.tsx";
import { PagedTable } from "../admin/paged-table.tsx";
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
        columns={columnsWith(setEdited)}
        empty={
          <EmptyState
            title="No institutions"
            text="Add one, or import programmes, which bring theirs along."
          />
        }
      />
      <Similar />
      <EditInstitution of={edited} onClose={() => setEdited(null)} />
    </Page>
  );
}

const columnsWith = (onEdit: (of: CatalogueInstitution) => void): Column<CatalogueInstitution>[] => [
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
      <Button
        size="compact-md"
        variant="default"
        aria-haspopup="dialog"
        aria-label={`Edit ${institution.name}`}
        onClick={() => onEdit(institution)}
      >
        Edit
      </Button>
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

const zones = () => ["", ...Intl.supportedValuesOf("timeZone")];
const countryIn = (text: string): StudyCountry => studyCountries.find((each) => each === text) ?? "GB";

function EditInstitution({ of, onClose }: { of: CatalogueInstitution | "new" | null; onClose: () => void }) {
  const stored = of === "new" ? null : of;
  const formOf = ({ name, country, place, zone, website }: Record<string, string>) => ({
    name: name ?? "",
    country: countryIn(country ?? ""),
    place: place ?? "",
    zone: zone || (zoneOfCountry[countryIn(country ?? "")] ?? ""),
    website: website ?? "",
  });
  return (
    <Dialog
      wide
      opened={of !== null}
      onClose={onClose}
      title={stored ? "Edit an institution" : "Add an institution"}
    >
      <ModalForm
        errorTitle="Not Saved"
        draftName={`institution ${stored?.id ?? "new"} ${stored?.version ?? 0}`}
        fields={["name", "country", "place", "zone", "website", "otherNames"]}
        check={(values) => {
          const checked = checkInstitutionForm(formOf(values));
          if ("code" in checked) return checked;
          const names = checkOtherNames(values.otherNames.split("\n"), checked.name);
          return "code" in names ? names : null;
        }}
        send={async (values) => {
          await rpc.catalogue.saveInstitution({
            id: stored?.id ?? null,
            version: stored?.version ?? 0,
            institution: formOf(values),
            otherNames: values.otherNames.split("\n").filter((name) => name.trim() !== ""),
          });
          announce("Institution saved.");
          await refetchAll();
        }}
        onDone={onClose}
        onCancel={onClose}
        action="Save"
        busyText="Saving..."
      >
        <TextField
          name="name"
          label="Name"
          maxLength={programmeLimits.institution}
          defaultValue={stored?.name}
        />
        <SelectField
          name="country"
          label="Country"
          defaultValue={stored?.country ?? "GB"}
          data={studyCountries.map((code) => ({ value: code, label: countryName(code) }))}
        />
        <TextField
          optional
          name="place"
          label="Place (optional)"
          maxLength={programmeLimits.place}
          defaultValue={stored?.place}
        />
        <SelectField
          name="zone"
          label="Clock of its deadlines"
          required={false}
          defaultValue={stored?.zone ?? ""}
          data={zones().map((zone) => ({
            value: zone,
            label: zone === "" ? "The country's" : zone.replaceAll("_", " "),
          }))}
        />
        <TextField
          optional
          name="website"
          label="Website (optional)"
          inputMode="url"
          maxLength={programmeLimits.url}
          defaultValue={stored?.website}
        />
        <TextAreaField
          optional
          name="otherNames"
          label="Other names (optional)"
          maxLength={2000}
          defaultValue={stored?.otherNames.join("\n")}
          description="One a line. Imports and searches find it by them. A former name is kept among them."
        />
      </ModalForm>
    </Dialog>
  );
}
