import { Select, type SelectProps } from "./controls.tsx";
import { Field, type FieldProps } from "./field.tsx";
import { useField } from "./form.tsx";

/** A choice of one with what is wrong with it beside it; the device's own list. */
export function SelectField(props: SelectProps & FieldProps & { name: string }) {
  const { around, input } = useField(props);
  return <Field {...around}>{(control) => <Select required {...control} {...input} />}</Field>;
}
