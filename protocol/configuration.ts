import type { WithdrawalMode } from "#domain/bid-withdrawal.ts";

/** Settings that the server writes into every page, in `<script id="configuration">`. */
export type PageConfiguration = {
  passwordMinLength: number;
  contactEmail: string;
  /** The origin that users open. */
  baseUrl: string;
  /** The highest bid, in cents, before an email address is verified. */
  unverifiedBidLimit: number;
  /** When bids may be withdrawn. */
  bidWithdrawal: WithdrawalMode;
  /** The external program search, with {query} and perhaps {location} in it. */
  programSearchUrl: string;
  /** The server's key that browsers subscribe to pushes with: a point of P-256 in base64url. */
  pushKey: string;
};
export const configurationElementId = "configuration";
export const rootElementId = "root";

/** An example of every setting; the settings of a page must have the same types. */
export const built: PageConfiguration = {
  passwordMinLength: 6,
  contactEmail: "contact@wayfare.invalid",
  baseUrl: "https://base-url.invalid",
  unverifiedBidLimit: 1_000_000,
  bidWithdrawal: "mistake",
  programSearchUrl: "",
  pushKey: "",
};

/** The two startup failures. */
export const missingRoot = "Target container 'root' is not found in the DOM.";
export const missingConfiguration = "Backend configuration is missing. Please check your configuration.";

/** Parses the page's configuration. Returns null if it is absent or invalid. */
export function parseConfiguration(text: string | null | undefined): PageConfiguration | null {
  if (!text) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isConfiguration(value) ? value : null;
  } catch {
    return null;
  }
}

function isConfiguration(value: unknown): value is PageConfiguration {
  const settings: Record<string, unknown> = Object(value);
  return Object.entries(built).every(([key, example]) => typeof settings[key] === typeof example);
}
