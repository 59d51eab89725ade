import { Select } from "../../ui/form/controls.tsx";
import { Field } from "../../ui/form/field.tsx";

type ChoiceFilterProps<Value extends string> = {
  label: string;
  /** What not choosing is called. */
  all: string;
  labels: Readonly<Record<Value, string>>;
  /** Those that can be chosen. */
  options: readonly Value[];
  value: Value | null;
  onChange: (value: Value | null) => void;
};

/** Part of a filter that is chosen, or left open. */
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
