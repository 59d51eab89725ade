import { Group } from "@mantine/core";
import type { ReactNode } from "react";

/** The buttons at the end of a dialog; the safe one stands first and has the focus. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" mt="lg">
      {children}
    </Group>
  );
}
