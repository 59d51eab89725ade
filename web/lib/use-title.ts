import { useEffect } from "react";
import { pageTitle } from "./page-meta.ts";

/** Names the tab after what a screen has loaded; the screen's `meta` only knows the address. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = pageTitle(title);
  }, [title]);
}
