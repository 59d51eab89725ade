import { useEarlyValue } from "../lib/use-early-value.ts";
import { Field, Select } from "./form/fields.tsx";

type ChoiceProps = {
  label: string;
  /** The label of the option that chooses nothing; without it there is always a choice. */
  all?: string;
  value: string;
  options: (string | { value: string; label: string })[];
  disabled?: boolean;
  onChoose: (value: string) => void;
};

/** A filter of a list: a select that changes the list immediately. */
export function Choice({ label, all, value, options, disabled = false, onChoose }: ChoiceProps) {
  const select = useEarlyValue<HTMLSelectElement>(value, onChoose);
  return (
    <Field label={label}>
      {(control) => (
        <Select
          ref={select}
          disabled={disabled}
          value={value}
          data={all === undefined ? options : [{ value: "", label: all }, ...options]}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          {...control}
        />
      )}
    </Field>
  );
}
