import type { ReactNode } from "react";
import { Button, type ButtonVariants } from "../button.tsx";
import { useForm } from "./form.tsx";

type SubmitButtonProps = Pick<ButtonVariants, "variant" | "fullWidth"> & {
  busyText: string;
  children: ReactNode;
};

/** Sends the form; says so while it is busy. */
export function SubmitButton({ busyText, children, ...look }: SubmitButtonProps) {
  const { busy, ready } = useForm();
  return (
    <Button type="submit" size="md" {...look} disabled={!ready || busy} data-waiting={!ready || undefined}>
      {busy ? busyText : children}
    </Button>
  );
}
