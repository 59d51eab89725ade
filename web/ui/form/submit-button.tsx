import type { ReactNode } from "react";
import { Button } from "../button.tsx";
import { useForm } from "./form.tsx";

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
    >
      {busy ? busyText : children}
    </Button>
  );
}
