import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";

const source = readFileSync(new URL("../../web/public/push-worker.js", import.meta.url), "utf8");
const origin = "https://wayfare.example";

type Handler = (event: object) => void;
type Notice = { title: string; options: { tag: string; data: { path: string } } };
const bytes = (text: string) => new TextEncoder().encode(text).buffer;

/** Runs the worker with a fake of the browser's API, and records its actions. */
function worker({ tabs = [] as string[], answer = { status: 200, json: { renewed: true } } } = {}) {
  const handlers = new Map<string, Handler>();
  const notices: Notice[] = [];
  const opened: string[] = [];
  const focused: string[] = [];
  const requests: { url: string; body: unknown }[] = [];
  const ended: string[] = [];
  const subscription = (endpoint: string) => ({
    endpoint,
    options: { applicationServerKey: bytes("key>?") },
    getKey: (name: string) => bytes(name),
    unsubscribe: async () => void ended.push(endpoint),
  });
  const self = {
    location: { origin },
    addEventListener: (type: string, handler: Handler) => void handlers.set(type, handler),
    registration: {
      showNotification: async (title: string, options: Notice["options"]) =>
        void notices.push({ title, options }),
      pushManager: { subscribe: async () => subscription("https://push.example/new") },
    },
    clients: {
      matchAll: async () => tabs.map((url) => ({ url, focus: async () => void focused.push(url) })),
      openWindow: async (url: string) => void opened.push(url),
    },
  };
  async function fetch(url: string, { body }: { body: string }) {
    requests.push({ url, body: JSON.parse(body) });
    return { ok: answer.status === 200, json: async () => ({ json: answer.json }) };
  }
  runInContext(source, createContext({ self, fetch, btoa, URL, Uint8Array, String }));
  async function dispatch(type: string, event: object) {
    const waits: Promise<unknown>[] = [];
    handlers.get(type)?.({ ...event, waitUntil: (work: Promise<unknown>) => waits.push(work) });
    await Promise.all(waits);
  }
  const push = (data: unknown) => dispatch("push", { data: { json: () => data } });
  const click = (path: string) =>
    dispatch("notificationclick", { notification: { close() {}, data: { path } } });
  return { handlers, notices, opened, focused, requests, ended, subscription, dispatch, push, click };
}

test("the worker listens for pushes, but not for requests of pages", () => {
  expect([...worker().handlers.keys()]).toEqual(["push", "notificationclick", "pushsubscriptionchange"]);
});

describe("a push", () => {
  test("is shown under its tag, so that a later one replaces it", async () => {
    const { push, notices } = worker();
    await push({ title: "You've been outbid on Desk", path: "/product/1", tag: "t" });
    expect(notices).toMatchObject([
      { title: "You've been outbid on Desk", options: { tag: "t", data: { path: "/product/1" } } },
    ]);
  });

  test.each([[null], [{}], [{ title: 1, path: "/", tag: "t" }]])(
    "of %j shows that there is something new",
    async (data) => {
      const { push, notices } = worker();
      await push(data);
      expect(notices).toMatchObject([{ options: { data: { path: "/notifications" } } }]);
    },
  );

  test("without content shows that there is something new", async () => {
    const { dispatch, notices } = worker();
    await dispatch("push", { data: null });
    expect(notices).toHaveLength(1);
  });
});

describe("a click", () => {
  test("opens the page, or focuses the tab that shows it", async () => {
    const { click, opened } = worker();
    await click("/product/1");
    expect(opened).toEqual([`${origin}/product/1`]);
    const there = worker({ tabs: [`${origin}/`, `${origin}/product/1?a=b`] });
    await there.click("/product/1");
    expect(there.focused).toEqual([`${origin}/product/1?a=b`]);
    expect(there.opened).toEqual([]);
  });

  test.each(["//elsewhere.example/", "https://elsewhere.example/"])(
    "leads to no other site: %s",
    async (to) => {
      const { click, opened } = worker();
      await click(to);
      expect(opened).toEqual([]);
    },
  );
});

describe("a subscription that the browser has renewed", () => {
  test("replaces the former one", async () => {
    const { dispatch, requests, ended, subscription } = worker();
    await dispatch("pushsubscriptionchange", {
      oldSubscription: subscription("https://push.example/old"),
      newSubscription: null,
    });
    expect(requests).toEqual([
      {
        url: "/rpc/push/renew",
        body: {
          json: {
            former: "https://push.example/old",
            endpoint: "https://push.example/new",
            p256dh: "cDI1NmRo",
            auth: "YXV0aA",
            serverKey: "a2V5Pj8",
          },
        },
      },
    ]);
    expect(ended).toEqual([]);
  });

  test.each([
    { status: 200, json: { renewed: false } },
    { status: 401, json: { renewed: false } },
  ])("ends when it no longer belongs to an account: %j", async (answer) => {
    const { dispatch, ended, subscription } = worker({ answer });
    await dispatch("pushsubscriptionchange", {
      oldSubscription: subscription("https://push.example/old"),
      newSubscription: subscription("https://push.example/new"),
    });
    expect(ended).toEqual(["https://push.example/new"]);
  });
});
