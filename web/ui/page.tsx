import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./page.module.css";

/** A screen's column with its headline and the sentence under it. */
export function Page({
  title,
  lead,
  narrow = false,
  wide = false,
  children,
}: {
  title?: string;
  lead?: ReactNode;
  narrow?: boolean;
  /** For a table that needs the room. */
  wide?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className={classes.page} data-narrow={narrow || undefined} data-wide={wide || undefined}>
      {title && (
        <Title order={1} className={classes.title}>
          {title}
        </Title>
      )}
      {lead && (
        <Text className={classes.lead} c="dimmed">
          {lead}
        </Text>
      )}
      {children}
    </div>
  );
}
