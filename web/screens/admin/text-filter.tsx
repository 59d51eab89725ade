import { Field } from "../../ui/form/field.tsx";
import { SearchField } from "../../ui/search-field.tsx";

type TextFilterProps = {
  label: string;
  placeholder: string;
  maxLength: number;
  value: string;
  onChange: (value: string) => void;
};

/** Part of a filter that is typed, with its label above it. */
export const TextFilter = ({ label, value, onChange, ...input }: TextFilterProps) => (
  <Field label={label}>
    {({ id }) => <SearchField id={id} label={label} search={value} onSearch={onChange} {...input} />}
  </Field>
);
