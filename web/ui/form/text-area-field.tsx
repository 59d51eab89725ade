import { Textarea, type TextareaProps } from "@mantine/core";
import { useForm } from "./form.tsx";

type TextAreaFieldProps = TextareaProps & { name: string; optional?: boolean };

/** Text of several lines with what is wrong with it beside it. */
export function TextAreaField({ name, optional = false, ...input }: TextAreaFieldProps) {
  const { failure } = useForm();
  return (
    <Textarea
      name={name}
      size="md"
      rows={3}
      required={!optional}
      withAsterisk={false}
      error={failure?.field === name && failure.message}
      {...input}
    />
  );
}
