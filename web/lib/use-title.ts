import { useEffect } from "react";
import { pageTitle } from "./page-meta.ts";

/** Sets the tab's title from data that a screen has loaded; its `meta` only knows the address. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = pageTitle(title);
  }, [title]);
}
