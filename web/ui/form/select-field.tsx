import "@mantine/core/styles/Input.css";
import { NativeSelect, type NativeSelectProps } from "@mantine/core";
import { useForm } from "./form.tsx";

/** A choice of one with what is wrong with it beside it; the device's own list. */
export function SelectField({ name, ...select }: NativeSelectProps & { name: string }) {
  const { failure } = useForm();
  return (
    <NativeSelect
      name={name}
      size="md"
      required
      withAsterisk={false}
      error={failure?.field === name && failure.message}
      {...select}
    />
  );
}
