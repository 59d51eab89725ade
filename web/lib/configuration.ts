import { useSyncExternalStore } from "react";
import {
  configurationElementId,
  missingConfiguration,
  type PageConfiguration,
  parseConfiguration,
} from "#domain/configuration.ts";

let found: PageConfiguration | null = null;

/** The configuration that the server wrote into the page; throws where there is none. */
export function configuration(): PageConfiguration {
  // Read once, before React owns the document.
  found ??= parseConfiguration(document.getElementById(configurationElementId)?.textContent);
  if (found === null) throw new Error(missingConfiguration);
  return found;
}

const never = () => () => {};

/** The same for a component; null in the HTML built ahead of time. */
export const useConfiguration = (): PageConfiguration | null =>
  useSyncExternalStore(never, configuration, () => null);
