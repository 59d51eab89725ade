import { TextField } from "./text-field.tsx";

type CodeFieldProps = { description: string; autoFocus?: boolean };

/** The six digits that an authenticator app shows. */
export function CodeField(props: CodeFieldProps) {
  return (
    <TextField
      name="code"
      label="Authentication code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
      {...props}
    />
  );
}
