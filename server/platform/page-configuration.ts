import type { PageConfiguration } from "#domain/configuration.ts";
import type { Environment } from "./environment.ts";

/** What of the environment every page is told: nothing secret. */
export const pageConfiguration = ({
  passwordMinLength,
  contactEmail,
  baseUrl,
  programSearchUrl,
}: Environment): PageConfiguration => ({ passwordMinLength, contactEmail, baseUrl, programSearchUrl });
