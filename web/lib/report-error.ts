import { browserErrorsPath, mostReported } from "#protocol/browser-errors.ts";

/** Asset, line and column, such as `auctions-B1x.js:1:204`. */
const place = /\/assets\/([\w.-]+\.js:\d+:\d+)/g;

const sent = new Set<string>();

/**
 * Tells the server of an error, once, and of a few only. What is sent holds no text: a message may quote what somebody
 * typed, an address may name a person.
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
  if (sent.has(body) || sent.size >= mostReported.ofPage) return;
  sent.add(body);
  const headers = { "content-type": "application/json" };
  // Lost when nobody answers: a report of that would be one more.
  fetch(browserErrorsPath, { method: "POST", headers, body, keepalive: true }).catch(() => {});
}
