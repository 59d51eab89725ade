import { TextInput, type TextInputProps } from "@mantine/core";
import { useForm } from "./form.tsx";

type TextFieldProps = TextInputProps & { name: string; optional?: boolean };

/** A line of text with what is wrong with it beside it. */
export function TextField({ name, optional = false, ...input }: TextFieldProps) {
  const { failure } = useForm();
  return (
    <TextInput
      name={name}
      size="md"
      required={!optional}
      withAsterisk={false}
      error={failure?.field === name && failure.message}
      {...input}
    />
  );
}
