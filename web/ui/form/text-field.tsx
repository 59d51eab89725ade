import { useState } from "react";
import { Input, type InputProps } from "./controls.tsx";
import { Field, type FieldProps } from "./field.tsx";
import { useField } from "./form.tsx";

type TextFieldProps = InputProps & FieldProps & { name: string; optional?: boolean };

/** A line of text with what is wrong with it beside it; it says so when no more characters fit. */
export function TextField({ optional = false, ...props }: TextFieldProps) {
  const { around, input } = useField(props);
  const [full, setFull] = useState(false);
  return (
    <Field {...around} description={around.description ?? (full && `At most ${input.maxLength} characters`)}>
      {(control) => (
        <Input
          onInput={({ currentTarget: { value } }) => setFull(value.length === input.maxLength)}
          required={!optional}
          {...control}
          {...input}
        />
      )}
    </Field>
  );
}
