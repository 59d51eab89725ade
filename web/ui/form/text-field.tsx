import "@mantine/core/styles/Input.css";
import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import { useField } from "./form.tsx";

type TextFieldProps = TextInputProps & { name: string; optional?: boolean };

/** A line of text with what is wrong with it beside it; it says so when no more characters fit. */
export function TextField({ name, optional = false, defaultValue, ...input }: TextFieldProps) {
  const field = useField(name, defaultValue);
  const [full, setFull] = useState(false);
  return (
    <TextInput
      name={name}
      size="md"
      description={full && `At most ${input.maxLength} characters`}
      onInput={({ currentTarget: { value } }) => setFull(value.length === input.maxLength)}
      required={!optional}
      withAsterisk={false}
      {...field}
      {...input}
    />
  );
}
