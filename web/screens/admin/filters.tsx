import { Field, Select } from "../../ui/form/fields.tsx";
import { SearchField } from "../../ui/search-field.tsx";

type TextFilterProps = {
  label: string;
  placeholder: string;
  maxLength: number;
  value: string;
  onChange: (value: string) => void;
};

/** A text filter, with its label above it. */
export const TextFilter = ({ label, value, onChange, ...input }: TextFilterProps) => (
  <Field label={label}>
    {({ id }) => <SearchField id={id} label={label} search={value} onSearch={onChange} {...input} />}
  </Field>
);

type ChoiceFilterProps<Value extends string> = {
  label: string;
  /** The label of the option that filters nothing. */
  all: string;
  labels: Readonly<Record<Value, string>>;
  options: readonly Value[];
  value: Value | null;
  onChange: (value: Value | null) => void;
};

/** A filter with a list of options, or none chosen. */
export const ChoiceFilter = <Value extends string>({
  label,
  all,
  labels,
  options,
  value,
  onChange,
}: ChoiceFilterProps<Value>) => (
  <Field label={label}>
    {(control) => (
      <Select
        value={value ?? ""}
        data={[{ value: "", label: all }, ...options.map((each) => ({ value: each, label: labels[each] }))]}
        onChange={({ currentTarget }) =>
          onChange(options.find((each) => each === currentTarget.value) ?? null)
        }
        {...control}
      />
    )}
  </Field>
);
