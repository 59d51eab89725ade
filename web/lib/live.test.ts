import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveTopic } from "#domain/live-topic.ts";
import { createLive } from "./live.ts";

/** What the browser's EventSource does, driven by hand. */
class FakeStream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeStream[] = [];
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeStream.opened.push(this);
  }
  close() {
    this.readyState = 2;
  }
}

const page = { visibilityState: "visible" };
let news: string[];
let live: ReturnType<typeof createLive>;
const last = () => FakeStream.opened.at(-1);
const tell = (event: string) => last()?.dispatchEvent(new Event(event));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeStream);
  vi.stubGlobal("document", page);
  page.visibilityState = "visible";
  FakeStream.opened = [];
  news = [];
  live = createLive({
    changed: (topic: LiveTopic) => void news.push(topic),
    signedOut: () => void news.push("signed-out"),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("one stream carries all topics, and every opening or gap asks again for all of them", () => {
  live.watch("agents");
  live.watch("account");
  vi.advanceTimersByTime(0);
  expect(FakeStream.opened.map(({ url }) => url)).toEqual(["/live?topics=account,agents"]);
  tell("open");
  tell("gap");
  tell("agents");
  expect(news).toEqual(["account", "agents", "account", "agents", "agents"]);
});

test("it closes when nobody watches, or the page is hidden, and opens again when seen", () => {
  const stop = live.watch("account");
  vi.advanceTimersByTime(0);
  page.visibilityState = "hidden";
  live.refresh();
  expect(last()?.readyState).toBe(2);
  page.visibilityState = "visible";
  live.refresh();
  expect(FakeStream.opened).toHaveLength(2);
  stop();
  vi.advanceTimersByTime(0);
  expect(last()?.readyState).toBe(2);
});

test("a stream that ends for good asks who is signed in, and tries again ever more slowly", () => {
  live.watch("account");
  vi.advanceTimersByTime(0);
  tell("signed-out");
  expect(news).toEqual(["signed-out"]);
  vi.advanceTimersByTime(1_000);
  expect(FakeStream.opened).toHaveLength(2);
  last()?.close();
  tell("error");
  vi.advanceTimersByTime(1_000);
  expect(FakeStream.opened).toHaveLength(2);
  vi.advanceTimersByTime(1_000);
  expect(FakeStream.opened).toHaveLength(3);
});

test("a broken connection that the browser mends by itself is left to it", () => {
  live.watch("account");
  vi.advanceTimersByTime(0);
  tell("error");
  vi.advanceTimersByTime(60_000);
  expect(FakeStream.opened).toHaveLength(1);
  expect(news).toEqual([]);
});
