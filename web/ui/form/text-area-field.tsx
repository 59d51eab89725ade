import type { ComponentProps } from "react";
import { TextArea } from "./controls.tsx";
import { Field, type FieldProps } from "./field.tsx";
import { useField } from "./form.tsx";

/** `maxLength`: the most characters; the field says so, since the browser takes no more without a word. */
type TextAreaFieldProps = ComponentProps<"textarea"> &
  FieldProps & { name: string; maxLength: number; optional?: boolean };

/** Text of several lines with what is wrong with it beside it. */
export function TextAreaField({ optional = false, ...props }: TextAreaFieldProps) {
  const { around, input } = useField(props);
  const { description = `At most ${input.maxLength.toLocaleString("en")} characters` } = around;
  return (
    <Field {...around} description={description}>
      {(control) => <TextArea rows={3} required={!optional} {...control} {...input} />}
    </Field>
  );
}
