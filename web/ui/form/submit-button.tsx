import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useForm } from "./form.tsx";
import classes from "./submit-button.module.css";

type SubmitButtonProps = { busyText: string; fullWidth?: boolean; children: ReactNode };

/** Sends the form; says so while it is busy. */
export function SubmitButton({ busyText, fullWidth = false, children }: SubmitButtonProps) {
  const { busy, ready } = useForm();
  return (
    <Button
      type="submit"
      size="md"
      fullWidth={fullWidth}
      disabled={!ready || busy}
      data-waiting={!ready || undefined}
      className={classes.submit ?? ""}
    >
      {busy ? busyText : children}
    </Button>
  );
}
