import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Moves the focus to the content when another screen opens, as a page load would; for `<main>`. */
export function useFocusOnArrival() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
