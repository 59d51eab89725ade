import { useEffect } from "react";
import { pageTitle } from "../../../lib/page-meta.ts";

/** Names the tab after what was found; the screen's own `meta` knows only the address. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = pageTitle(title);
  }, [title]);
}
