/** Patterns of User-Agents, the most specific first, since most browsers also name others. */
const browsers = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS)\//],
  ["Safari", /\bVersion\/[\d.]+ .*Safari\//],
] as const;
const systems = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
] as const;

type Names = readonly (readonly [name: string, pattern: RegExp])[];
const nameIn = (names: Names, text: string): string | null =>
  names.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

/** Returns a browser's name, such as "Chrome on Android", by its User-Agent, or null if it isn't recognised. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const [browser, system] = [nameIn(browsers, userAgent), nameIn(systems, userAgent)];
  if (browser === null) return system;
  return system === null ? browser : `${browser} on ${system}`;
}
