import "@mantine/core/styles/Input.css";
import { Textarea, type TextareaProps } from "@mantine/core";
import { useField } from "./form.tsx";

/** `maxLength`: the most characters; the field says so, since the browser takes no more without a word. */
type TextAreaFieldProps = TextareaProps & { name: string; maxLength: number; optional?: boolean };

/** Text of several lines with what is wrong with it beside it. */
export function TextAreaField({
  name,
  maxLength,
  optional = false,
  defaultValue,
  ...input
}: TextAreaFieldProps) {
  const field = useField(name, defaultValue);
  return (
    <Textarea
      name={name}
      size="md"
      rows={3}
      maxLength={maxLength}
      description={`At most ${maxLength.toLocaleString("en")} characters`}
      required={!optional}
      withAsterisk={false}
      {...field}
      {...input}
    />
  );
}
