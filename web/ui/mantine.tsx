import "../styles/mantine.css";
import { MantineContext, MantineThemeProvider } from "@mantine/core";
import type { ComponentProps, ReactNode } from "react";
import { theme } from "../theme.ts";

const nothing = () => {};

/** Not Mantine's own provider: the colour scheme and the theme's variables are the document's, in web/root.tsx. */
const context: ComponentProps<typeof MantineContext>["value"] = {
  colorScheme: "auto",
  setColorScheme: nothing,
  clearColorScheme: nothing,
  getRootElement: () => document.documentElement,
  classNamesPrefix: "mantine",
  cssVariablesSelector: ":root",
  withStaticClasses: true,
};

/** Around whatever uses Mantine's parts. */
export const Mantine = ({ children }: { children: ReactNode }) => (
  <MantineContext value={context}>
    <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
  </MantineContext>
);
