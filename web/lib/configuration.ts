import { useSyncExternalStore } from "react";
import {
  built,
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

/** The same for what is in the HTML built ahead of time too: there it stands for what the server will put in. */
export const siteConfiguration = (): PageConfiguration =>
  import.meta.env.SSR
    ? (parseConfiguration(import.meta.env["VITE_CONFIGURATION"]) ?? built)
    : configuration();

const never = () => () => {};

/** The same for a component; null in the HTML built ahead of time. */
export const useConfiguration = (): PageConfiguration | null =>
  useSyncExternalStore(never, configuration, () => null);
