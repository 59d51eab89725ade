import {
  configurationElementId,
  missingConfiguration,
  type PageConfiguration,
  parseConfiguration,
} from "#protocol/configuration.ts";

let known: PageConfiguration | null = null;

/** The server says it once, before it renders anything. */
export const setConfiguration = (configuration: PageConfiguration): void => void (known = configuration);

/** In a browser it is what the server wrote into the page. Throws where there is none. */
export function configuration(): PageConfiguration {
  if (!import.meta.env.SSR)
    known ??= parseConfiguration(document.getElementById(configurationElementId)?.textContent);
  if (known === null) throw new Error(missingConfiguration);
  return known;
}
