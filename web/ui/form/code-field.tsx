import { useEffect, useRef, useState } from "react";
import { Button } from "../button.tsx";
import classes from "./field.module.css";
import { TextField } from "./text-field.tsx";

/** `focused`: it has just been asked for, so the cursor goes there. `orRecovery`: a recovery code will do too. */
type CodeFieldProps = { description: string; focused?: boolean; orRecovery?: boolean };

const kinds = {
  app: {
    label: "Authentication code",
    inputMode: "numeric",
    autoComplete: "one-time-code",
    maxLength: 7,
    other: "Use a recovery code instead",
  },
  recovery: {
    label: "Recovery code",
    inputMode: "text",
    autoComplete: "off",
    maxLength: 40,
    other: "Use a code from your app instead",
  },
} as const;

/** The six digits that an authenticator app shows, or one of the codes that were saved for when it is lost. */
export function CodeField({ description, focused = false, orRecovery = false }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isRecovery, setRecovery] = useState(false);
  const { other, ...field } = kinds[isRecovery ? "recovery" : "app"];
  useEffect(() => {
    if (focused || isRecovery) input.current?.focus();
  }, [focused, isRecovery]);
  return (
    <div>
      <TextField
        key={field.label}
        ref={input}
        name="code"
        description={isRecovery ? "One of the ten codes you saved. Each works once." : description}
        autoCapitalize="none"
        spellCheck={false}
        {...field}
      />
      {orRecovery && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.other}
          onClick={() => setRecovery(!isRecovery)}
        >
          {other}
        </Button>
      )}
    </div>
  );
}
