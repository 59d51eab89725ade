import type { Hono } from "hono";
import { expect, vi } from "vitest";
import type { Caller } from "./caller.ts";

/** An answer of the server, other than an event stream. */
export type RecordedAnswer = {
  path: string;
  status: number;
  type: string;
  caching: string;
  location: string;
  text: string;
};
/** Records every answer from now on, except for event streams, which never end. */
export function recordAnswers(app: Hono, answered: RecordedAnswer[]): void {
  const request = app.request;
  vi.spyOn(app, "request").mockImplementation(async (input, init, env, context) => {
    const response = await request(input, init, env, context);
    const header = (name: string) => response.headers.get(name) ?? "";
    const type = header("content-type");
    if (type.startsWith("text/event-stream")) return response;
    const [caching, location] = [header("cache-control"), header("location")];
    const text = await response.clone().text();
    const path = input instanceof Request ? input.url : input.toString();
    answered.push({ path, status: response.status, type, caching, location, text });
    return response;
  });
}

/** Follows an event stream from now on, with all of the caller's own topics, or with these. */
export async function follow(
  who: Caller,
  events: string[],
  topics: readonly string[] = ["account", "agents", "dashboard", "notifications", "students"],
): Promise<void> {
  const response = await who.request(`/live?topics=${topics.join()}`, {});
  expect(response.status).toBe(200);
  void (async () => {
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) events.push(text);
  })().catch(() => {});
}
