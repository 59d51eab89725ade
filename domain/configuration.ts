/** What the server tells every page in `<script id="configuration">` (product decisions, "Startup"). */
export type PageConfiguration = { passwordMinLength: number; contactEmail: string };
export const configurationElementId = "configuration";
export const rootElementId = "root";

/** The two startup failures (spec 8, with the product's words for the second). */
export const missingRoot = "Target container 'root' is not found in the DOM.";
export const missingConfiguration = "Backend configuration is missing. Please check your configuration.";

/** The page's configuration, or null when it is absent or not of its form. */
export function parseConfiguration(text: string | null | undefined): PageConfiguration | null {
  if (!text) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    const passwordMinLength: unknown = Reflect.get(value, "passwordMinLength");
    const contactEmail: unknown = Reflect.get(value, "contactEmail");
    return typeof passwordMinLength === "number" && typeof contactEmail === "string"
      ? { passwordMinLength, contactEmail }
      : null;
  } catch {
    return null;
  }
}
