import { useState } from "react";
import type { ProgrammeCounts } from "#contract/programmes.ts";
import { studyCountries, studyLevels } from "#domain/application.ts";
import { countryName } from "#domain/country.ts";
import { formatMoney } from "#domain/money.ts";
import {
  studyFieldLabels,
  studyFields,
  studyModeLabels,
  studyModes,
  teachingLanguageLabels,
  teachingLanguages,
} from "#domain/programme.ts";
import { programmeSortLabels, programmeSorts } from "#domain/programme-list.ts";
import { intakeWords } from "#domain/programme-words.ts";
import { useIsStudent } from "../../../lib/viewer.ts";
import { Choice } from "../../../ui/choice.tsx";
import { FilterChips } from "../../../ui/filter-chips.tsx";
import { SearchField } from "../../../ui/search-field.tsx";
import { PriceField } from "../../auctions/find/price-field.tsx";
import { outcomeLabels } from "../outcomes.tsx";
import classes from "./filters.module.css";
import { everything, type ProgrammeView, type ViewProps } from "./programme-view.ts";

type FiltersProps = ViewProps & { counts: ProgrammeCounts | undefined };

const figure = (count: number) => count.toLocaleString("en");

/** Returns the options of a filter, each with the number of programmes that it would leave. */
const withCounts = <Value extends string>(
  values: readonly Value[],
  label: (value: Value) => string,
  counts: Readonly<Record<string, number>> | undefined,
) =>
  values.map((value) => ({
    value,
    label: counts ? `${label(value)} (${figure(counts[value] ?? 0)})` : label(value),
  }));

/** Formats a month that is YYYY-MM. */
const monthWords = (month: string): string =>
  intakeWords({ year: Number(month.slice(0, 4)), month: Number(month.slice(5)) });

/** Returns the value if it is one of the choices. */
const choiceIn = <Value extends string>(values: readonly Value[], text: string): Value | null =>
  values.find((value) => value === text) ?? null;

/**
 * The controls above the list: words, filters with their counts, and order. A phone collapses the filters, and lists
 * the ones in use as chips; wider screens show the first three of them.
 */
export function Filters({ view, onChange, counts: allCounts }: FiltersProps) {
  const isStudent = useIsStudent();
  // The counts are for all outcomes, so they don't apply to a list with only one.
  const counts = isStudent && view.outcome ? undefined : allCounts;
  const inUse = chosenFilters(view).length;
  const months = Object.keys(allCounts?.intake ?? {});
  if (view.intake !== null && !months.includes(view.intake)) months.push(view.intake);
  const sorts = [
    ...programmeSorts.map((sort) => ({ value: sort, label: programmeSortLabels[sort] })),
    ...(isStudent ? [{ value: "gaps", label: "May enter first" }] : []),
  ];
  return (
    <search className={classes.filters}>
      <SearchField
        className={classes.search}
        label="Search programmes"
        placeholder="Course, university or city"
        maxLength={200}
        search={view.search}
        onSearch={(search) => onChange({ search })}
      />
      <details className={classes.fold}>
        <summary className={classes.summary}>
          Filters{inUse > 0 && <span className={classes.number}> · {inUse} chosen</span>}
        </summary>
        <div className={classes.folded}>
          <Choice
            label="Country"
            all="All countries"
            value={view.country ?? ""}
            options={withCounts(studyCountries, countryName, counts?.country)}
            onChoose={(value) => onChange({ country: choiceIn(studyCountries, value) })}
          />
          <Choice
            label="Level"
            all="All levels"
            value={view.level ?? ""}
            options={withCounts(studyLevels, (level) => level, counts?.level)}
            onChoose={(value) => onChange({ level: choiceIn(studyLevels, value) })}
          />
          <Choice
            label="Start"
            all="Any start"
            value={view.intake ?? ""}
            options={withCounts(months.toSorted(), monthWords, counts?.intake)}
            onChoose={(value) => onChange({ intake: value || null })}
          />
        </div>
      </details>
      <Choice
        label="Sort by"
        value={isStudent || view.sort !== "gaps" ? (view.sort ?? "title") : "title"}
        options={sorts}
        onChoose={(value) => onChange({ sort: choiceIn([...programmeSorts, "gaps"] as const, value) })}
      />
      <MoreFilters view={view} onChange={onChange} counts={counts} />
    </search>
  );
}

/** Field, tuition, language and mode. They are open if one of them is in use, unless the viewer has closed them. */
function MoreFilters({ view, onChange, counts }: FiltersProps) {
  const { field, feeUpTo, language, mode } = view;
  const isInUse = [field, feeUpTo, language, mode].some((filter) => filter !== null);
  const [isOpen, setOpen] = useState<boolean | null>(null);
  return (
    <details
      className={classes.more}
      open={isOpen ?? isInUse}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={classes.summary}>Field, tuition, language and mode</summary>
      <div className={classes.moreFields}>
        <Choice
          label="Field"
          all="All fields"
          value={field ?? ""}
          options={withCounts(studyFields, (each) => studyFieldLabels[each], counts?.field)}
          onChoose={(value) => onChange({ field: choiceIn(studyFields, value) })}
        />
        <PriceField
          label="Tuition a year up to"
          cents={feeUpTo}
          onChoose={(cents) => onChange({ feeUpTo: cents })}
        />
        <Choice
          label="Language"
          all="All languages"
          value={language ?? ""}
          options={withCounts(teachingLanguages, (each) => teachingLanguageLabels[each], counts?.language)}
          onChoose={(value) => onChange({ language: choiceIn(teachingLanguages, value) })}
        />
        <Choice
          label="Mode"
          all="All modes"
          value={mode ?? ""}
          options={withCounts(studyModes, (each) => studyModeLabels[each], counts?.mode)}
          onChoose={(value) => onChange({ mode: choiceIn(studyModes, value) })}
        />
      </div>
    </details>
  );
}

/** A filter in use, with its label and the change that removes it. */
export type UsedFilter = { name: keyof ProgrammeView; label: string; without: Partial<ProgrammeView> };

/** Returns the filters in use, without the search words, which only an empty list treats as a filter. */
export function usedFilters(view: ProgrammeView, isStudent: boolean): UsedFilter[] {
  const { country, level, field, language, mode, intake, feeUpTo, outcome } = view;
  const used = (name: keyof ProgrammeView, label: string): UsedFilter => ({
    name,
    label,
    without: { [name]: null },
  });
  return [
    ...(country ? [used("country", countryName(country))] : []),
    ...(level ? [used("level", level)] : []),
    ...(field ? [used("field", studyFieldLabels[field])] : []),
    ...(intake ? [used("intake", `Starts ${monthWords(intake)}`)] : []),
    ...(feeUpTo ? [used("feeUpTo", `Tuition up to ${formatMoney(Number(feeUpTo))}`)] : []),
    ...(language ? [used("language", teachingLanguageLabels[language])] : []),
    ...(mode ? [used("mode", studyModeLabels[mode])] : []),
    ...(outcome && isStudent ? [used("outcome", `“${outcomeLabels[outcome]}”`)] : []),
  ];
}

/** Returns the filters in use that have a field. The outcome has its own buttons. */
const chosenFilters = (view: ProgrammeView): UsedFilter[] => usedFilters(view, false);

/** The filters in use, each with a button that removes it. */
export const Chips = ({ view, onChange }: ViewProps) => (
  <FilterChips
    chips={chosenFilters(view).map(({ label, without }) => ({ label, onRemove: () => onChange(without) }))}
    onClear={() => onChange(everything)}
  />
);
