import "@mantine/core/styles/Input.css";
import { NativeSelect, type NativeSelectProps } from "@mantine/core";
import { useField } from "./form.tsx";

/** A choice of one with what is wrong with it beside it; the device's own list. */
export function SelectField({ name, defaultValue, ...select }: NativeSelectProps & { name: string }) {
  const field = useField(name, defaultValue);
  return <NativeSelect name={name} size="md" required withAsterisk={false} {...field} {...select} />;
}
