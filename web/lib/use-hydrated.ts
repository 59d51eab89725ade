import { startTransition, useEffect, useState } from "react";

/** Once true of any part it is of all: the page is taken over as a whole. What comes after that needs no other look. */
let isHydrated = false;

/**
 * False in the HTML built ahead of time and while React takes it over, true from then on. What changes by it is rendered
 * in slices, so that a slow phone answers meanwhile. Not for what is inside a Suspense of the built page: React takes
 * that over later.
 */
export function useHydrated(): boolean {
  const [hydrated, setHydrated] = useState(isHydrated);
  useEffect(() => {
    isHydrated = true;
    startTransition(() => setHydrated(true));
  }, []);
  return hydrated;
}
