import { useEffect, useRef } from "react";
import { TextField } from "./text-field.tsx";

/** `focused`: it has just been asked for, so the cursor goes there. */
type CodeFieldProps = { description: string; focused?: boolean };

/** The six digits that an authenticator app shows. */
export function CodeField({ description, focused = false }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);
  return (
    <TextField
      ref={input}
      name="code"
      label="Authentication code"
      description={description}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
    />
  );
}
