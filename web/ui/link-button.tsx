import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";

/** A link that looks like a button; `primary` for the one that matters most on the screen. */
export function LinkButton({
  to,
  primary = false,
  children,
}: {
  to: string;
  primary?: boolean;
  children: ReactNode;
}) {
  return (
    <Button component={Link} to={to} size="md" variant={primary ? "filled" : "default"}>
      {children}
    </Button>
  );
}
