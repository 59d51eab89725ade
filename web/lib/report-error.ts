import { browserErrorsPath, mostReported } from "#protocol/browser-errors.ts";

/** Matches asset, line and column, such as `auctions-B1x.js:1:204`. */
const place = /\/assets\/([\w.-]+\.js:\d+:\d+)/g;

const reports = new Set<string>();

/**
 * Reports an error to the server, each once, and only a few per page. The report contains no text: a message may quote
 * what a person typed, and an address may name a person.
 */
export function reportError(thrown: unknown): void {
  if (!(thrown instanceof Error)) return;
  const { name, code }: { name: string; code?: unknown } = thrown;
  const places = [...(thrown.stack ?? "").matchAll(place)].slice(0, mostReported.places);
  const body = JSON.stringify({
    name,
    code,
    places: places.map(([, at]) => at),
    script: new URL(import.meta.url).pathname.split("/").at(-1),
  });
  if (reports.has(body) || reports.size >= mostReported.ofPage) return;
  reports.add(body);
  const headers = { "content-type": "application/json" };
  // A report that fails is lost: reporting that too would only fail again.
  fetch(browserErrorsPath, { method: "POST", headers, body, keepalive: true }).catch(() => {});
}
