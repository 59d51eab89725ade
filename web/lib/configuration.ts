import {
  configurationElementId,
  missingConfiguration,
  type PageConfiguration,
  parseConfiguration,
} from "#protocol/configuration.ts";

let current: PageConfiguration | null = null;

/** Sets the configuration once, on the server, before it renders anything. */
export const setConfiguration = (configuration: PageConfiguration): void => void (current = configuration);

/** Returns the configuration, which a browser reads from the page. Throws if there is none. */
export function configuration(): PageConfiguration {
  if (!import.meta.env.SSR)
    current ??= parseConfiguration(document.getElementById(configurationElementId)?.textContent);
  if (current === null) throw new Error(missingConfiguration);
  return current;
}
