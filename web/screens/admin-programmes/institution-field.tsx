import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ComponentProps, useId, useState } from "react";
import type { StudyCountry } from "#domain/application.ts";
import { countryName } from "#domain/country.ts";
import { wrong } from "#domain/problem.ts";
import { api } from "../../lib/rpc.ts";
import { TextField } from "../../ui/form/fields.tsx";

type InstitutionName = { id: string; name: string; country: StudyCountry };
const searchLength = 200;

/** Returns an institution's text in the field. */
export const institutionLabel = ({ name, country }: Omit<InstitutionName, "id">) =>
  `${name}, ${countryName(country)}`;

type SearchOptions = {
  /** The initial institution of the field. */
  first?: InstitutionName | undefined;
  /** The only country to choose from. */
  country?: StudyCountry | undefined;
};

/** Searches institutions by the typed text, for `InstitutionField`. `onType` takes the text of the field. */
export function useInstitutions({ first, country }: SearchOptions = {}) {
  const [search, setSearch] = useState(first?.name ?? "");
  const { data } = useQuery({
    ...api.catalogue.institutions.queryOptions({
      input: { search: search.split(",")[0]?.slice(0, searchLength) ?? "", country, limit: 20 },
    }),
    placeholderData: keepPreviousData,
  });
  const institutions: InstitutionName[] = [...(first ? [first] : []), ...(data?.institutions ?? [])];
  return {
    institutions,
    onType: setSearch,
    /** Returns the institution that the text names, or undefined. */
    named: (text: string) => institutions.find((each) => institutionLabel(each) === text.trim()),
  };
}

export const institutionMissing = <Field extends string>(field: Field) =>
  wrong(field, "Please choose an institution from the list.");

type InstitutionFieldProps = Omit<ComponentProps<typeof TextField>, "list"> & {
  institutions: readonly InstitutionName[];
};

/** A field for an institution of the catalogue, chosen from those that match the typed text. */
export function InstitutionField({ institutions, ...field }: InstitutionFieldProps) {
  const id = useId();
  return (
    <>
      <TextField
        list={id}
        autoComplete="off"
        description="Type a part of its name, and choose it."
        {...field}
      />
      <datalist id={id}>
        {institutions.map((each) => (
          <option key={each.id} value={institutionLabel(each)}>
            {each.name}
          </option>
        ))}
      </datalist>
    </>
  );
}
