import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in the HTML built ahead of time and while React takes it over, true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
