import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveTopic } from "#protocol/live-topic.ts";
import { createLive } from "./live.ts";

/** Stands in for the browser's EventSource, driven by hand. */
class FakeStream extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static opened: FakeStream[] = [];
  readyState = FakeStream.CONNECTING;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeStream.opened.push(this);
    this.addEventListener("open", () => (this.readyState = FakeStream.OPEN));
    this.addEventListener("error", () => {
      if (this.readyState !== FakeStream.CLOSED) this.readyState = FakeStream.CONNECTING;
    });
  }
  close() {
    this.readyState = FakeStream.CLOSED;
  }
}

const page = { visibilityState: "visible" };
let calls: string[];
let isSigningOut: boolean;
let live: ReturnType<typeof createLive>;
const last = () => FakeStream.opened.at(-1);
const dispatch = (event: string, data?: string) =>
  last()?.dispatchEvent(data === undefined ? new Event(event) : new MessageEvent(event, { data }));
const listener = (topic: LiveTopic, data: string | null) =>
  void calls.push(data === null ? topic : `${topic} ${data}`);
const product = "product:3f0c1a52-7f5e-4f43-9c3a-0d6f4f3f9b11";
const signingOut = (value: boolean) => {
  isSigningOut = value;
  live.refreshSoon();
  vi.advanceTimersByTime(0);
};
const opened = () => FakeStream.opened.map(({ url }) => url);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeStream);
  vi.stubGlobal("document", page);
  page.visibilityState = "visible";
  FakeStream.opened = [];
  calls = [];
  isSigningOut = false;
  live = createLive({
    isSigningOut: () => isSigningOut,
    onSignedOut: (why) => void calls.push(why === null ? "signed-out" : `signed-out ${why}`),
    onLossChange: (isLost) => void calls.push(isLost ? "lost" : "back"),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("one stream carries all topics, and every opening refreshes all of them", () => {
  live.watch("agents", listener);
  live.watch("account", listener);
  vi.advanceTimersByTime(0);
  expect(opened()).toEqual(["/live?topics=account,agents"]);
  dispatch("open");
  dispatch("agents", "{}");
  expect(calls).toEqual(["account", "agents", "agents {}"]);
});

test("refreshes a guarded topic when the server grants or refuses it, not when the stream opens", () => {
  const topic = "application:3f0c1a52-7f5e-4f43-9c3a-0d6f4f3f9b11";
  live.watch(topic, listener);
  live.watch("account", listener);
  vi.advanceTimersByTime(0);
  dispatch("open");
  expect(calls).toEqual(["account"]);
  dispatch(topic, "{}");
  dispatch(topic, '{"refused":"not-found"}');
  expect(calls.slice(1)).toEqual([`${topic} {}`, `${topic} {"refused":"not-found"}`]);
});

test("calls a listener that two watchers share once, until both have stopped", () => {
  const stops = [live.watch(product, listener), live.watch(product, listener)];
  vi.advanceTimersByTime(0);
  stops[0]?.();
  vi.advanceTimersByTime(0);
  dispatch(product, "1");
  expect(calls).toEqual([`${product} 1`]);
  stops[1]?.();
  dispatch(product, "2");
  expect(calls).toEqual([`${product} 1`]);
});

test("reopens the stream immediately for an added topic, but for a removed one only after a while", () => {
  live.watch("account", listener);
  vi.advanceTimersByTime(0);
  const stop = live.watch(product, listener);
  vi.advanceTimersByTime(0);
  expect(opened()).toEqual(["/live?topics=account", `/live?topics=account,${product}`]);
  stop();
  vi.advanceTimersByTime(9_000);
  const again = live.watch(product, listener);
  vi.advanceTimersByTime(20_000);
  expect(FakeStream.opened).toHaveLength(2);
  expect(last()?.readyState).not.toBe(FakeStream.CLOSED);
  again();
  vi.advanceTimersByTime(10_000);
  expect(opened().at(-1)).toBe("/live?topics=account");
  expect(FakeStream.opened.filter(({ readyState }) => readyState !== FakeStream.CLOSED)).toHaveLength(1);
});

test("reopens the stream once for topics that change together", () => {
  live.watch("account", listener);
  const stop = live.watch(product, listener);
  vi.advanceTimersByTime(0);
  stop();
  live.watch("agents", listener);
  vi.advanceTimersByTime(20_000);
  expect(opened().slice(1)).toEqual(["/live?topics=account,agents"]);
});

test("closes without watchers or while the page is hidden, and reopens when the page is visible", () => {
  const stop = live.watch("account", listener);
  vi.advanceTimersByTime(0);
  page.visibilityState = "hidden";
  live.refresh();
  expect(last()?.readyState).toBe(FakeStream.CLOSED);
  page.visibilityState = "visible";
  live.refresh();
  expect(FakeStream.opened).toHaveLength(2);
  stop();
  vi.advanceTimersByTime(0);
  expect(last()?.readyState).toBe(FakeStream.CLOSED);
});

test("reports a stream that the server ended, and retries it with growing delays", () => {
  live.watch("account", listener);
  vi.advanceTimersByTime(0);
  dispatch("signed-out", '{"code":"account/revoked"}');
  expect(calls).toEqual(['signed-out {"code":"account/revoked"}']);
  vi.advanceTimersByTime(1_000);
  expect(FakeStream.opened).toHaveLength(2);
  last()?.close();
  dispatch("error");
  vi.advanceTimersByTime(1_000);
  expect(FakeStream.opened).toHaveLength(2);
  vi.advanceTimersByTime(1_000);
  expect(FakeStream.opened).toHaveLength(3);
});

test("leaves a broken connection to the browser, which reconnects automatically", () => {
  live.watch("account", listener);
  vi.advanceTimersByTime(0);
  dispatch("error");
  vi.advanceTimersByTime(2_000);
  dispatch("open");
  vi.advanceTimersByTime(20_000);
  expect(FakeStream.opened).toHaveLength(1);
  expect(calls).toEqual(["account"]);
});

test("isOpen holds from the opening of the stream until it breaks, closes or is replaced", () => {
  expect(live.isOpen()).toBe(false);
  live.watch("account", listener);
  vi.advanceTimersByTime(0);
  expect(live.isOpen()).toBe(false);
  dispatch("open");
  expect(live.isOpen()).toBe(true);
  dispatch("error");
  expect(live.isOpen()).toBe(false);
  dispatch("open");
  live.watch("agents", listener);
  vi.advanceTimersByTime(0);
  expect(live.isOpen()).toBe(false);
  dispatch("open");
  expect(live.isOpen()).toBe(true);
  signingOut(true);
  expect(live.isOpen()).toBe(false);
});

test("reports a stream as lost after three seconds, however often it is retried", () => {
  live.watch("account", listener);
  vi.advanceTimersByTime(0);
  dispatch("error");
  vi.advanceTimersByTime(1_000);
  dispatch("error");
  vi.advanceTimersByTime(1_999);
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(calls).toEqual(["lost"]);
  dispatch("error");
  vi.advanceTimersByTime(3_000);
  expect(calls).toEqual(["lost", "lost"]);
});

test("reports a lost stream as back as soon as it is open", () => {
  live.watch("account", listener);
  vi.advanceTimersByTime(0);
  dispatch("error");
  vi.advanceTimersByTime(3_000);
  dispatch("open");
  expect(calls).toEqual(["lost", "back", "account"]);
});

test("replaces a stream without heartbeats, and reports it as lost if the new one is silent too", () => {
  live.watch("account", listener);
  vi.advanceTimersByTime(0);
  dispatch("open");
  vi.advanceTimersByTime(25_000);
  dispatch("heartbeat", "{}");
  vi.advanceTimersByTime(29_999);
  expect(opened()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(opened()).toHaveLength(2);
  expect(FakeStream.opened[0]?.readyState).toBe(FakeStream.CLOSED);
  vi.advanceTimersByTime(3_000);
  expect(calls).toEqual(["account", "lost"]);
  dispatch("open");
  expect(calls.slice(2)).toEqual(["back", "account"]);
});

test("reports a refused stream as lost too, because a proxy refuses while the server is away", () => {
  live.watch(product, listener);
  vi.advanceTimersByTime(0);
  last()?.close();
  dispatch("error");
  vi.advanceTimersByTime(3_000);
  expect(calls).toContain("lost");
});

test("reports no loss of a stream that was closed on purpose", () => {
  const stop = live.watch("account", listener);
  vi.advanceTimersByTime(0);
  dispatch("error");
  page.visibilityState = "hidden";
  live.refresh();
  vi.advanceTimersByTime(60_000);
  page.visibilityState = "visible";
  live.refresh();
  dispatch("error");
  stop();
  vi.advanceTimersByTime(60_000);
  expect(calls).toEqual([]);
});

test("opens a new stream immediately when the connection is back, and refreshes its topics", () => {
  live.watch("agents", listener);
  vi.advanceTimersByTime(0);
  live.reopen();
  dispatch("open");
  expect(opened()).toEqual(["/live?topics=agents", "/live?topics=agents"]);
  expect(FakeStream.opened[0]?.readyState).toBe(FakeStream.CLOSED);
  expect(calls).toEqual(["agents"]);
});

test("keeps the stream closed during a sign-out, and reopens it if that fails", () => {
  live.watch("account", listener);
  vi.advanceTimersByTime(0);
  signingOut(true);
  expect(last()?.readyState).toBe(FakeStream.CLOSED);
  live.watch("notifications", listener);
  vi.advanceTimersByTime(60_000);
  expect(opened()).toHaveLength(1);
  signingOut(false);
  expect(opened().at(-1)).toBe("/live?topics=account,notifications");
});
