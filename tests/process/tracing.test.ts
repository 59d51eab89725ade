import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isTracing, startTracing, stopTracing, type TracingSettings } from "#server/platform/tracing.ts";
import { ownVersion } from "#server/platform/version.ts";
import { openTraceReceiver } from "#tests/fakes/trace-receiver.ts";
import { product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { person, signUpForm } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const module = new URL("../../server/platform/open-telemetry.ts", import.meta.url).href;
const json = { "content-type": "application/json", "x-csrf-token": "orpc" };
const parent = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;

/** Does the work on a new Wayfare, and returns the receiver of its traces. */
async function traced(
  work: (w: Wayfare) => Promise<void>,
  variables: Record<string, string> = {},
  sampler: TracingSettings["sampler"] = "parentbased_always_on",
) {
  const receiver = await openTraceReceiver();
  await startTracing({ url: receiver.url, sampler, share: 0 }, module);
  const w = await wayfare({ variables });
  try {
    await work(w);
  } finally {
    await w.stop();
    await stopTracing();
    receiver.close();
  }
  return receiver;
}

test("without an address for traces nothing is traced", async () => {
  await startTracing(null, "no/such/module");
  expect(isTracing()).toBe(false);
});

describe("a request", () => {
  let receiver: Awaited<ReturnType<typeof openTraceReceiver>>;
  let requestId: string | null;
  const spansOf = (name: string) => receiver.spans().filter((span) => span.name === name);
  const secret = randomUUID();
  beforeAll(async () => {
    receiver = await traced(async (w) => {
      const form = signUpForm();
      await new Caller(w.app).call("account.signUp", form);
      await until(() => w.log.find(({ msg }) => msg === "mail written"));
      const seller = await person(w, "student", "active");
      const productId = await product(w, seller);
      const bidder = await person(w, "student", "active");
      const bid = { productId, amount: 20_000, idempotencyKey: randomUUID() };
      expect((await bidder.caller.call("auctions.bid", bid)).status).toBe(200);
      await w.app.request(`/files/documents/${secret}?signature=${secret}`, { headers: { traceparent } });
      vi.spyOn(w.services.searches, "run").mockRejectedValueOnce(new Error(secret));
      const failed = await w.app.request("/rpc/auctions/list", {
        method: "POST",
        headers: json,
        body: JSON.stringify({ json: { search: secret } }),
      });
      requestId = failed.headers.get("x-request-id");
    });
  });
  afterAll(() => receiver.close());

  test("is a span with its route, method and status", () => {
    expect(spansOf("POST /rpc/auctions/bid")).toEqual([
      expect.objectContaining({
        attributes: expect.objectContaining({
          "http.request.method": "POST",
          "http.route": "/rpc/auctions/bid",
          "http.response.status_code": 200,
        }),
      }),
    ]);
    expect(receiver.services()).toContainEqual({
      "service.name": "wayfare",
      "service.version": ownVersion,
      "service.instance.id": expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  test("has its procedure, transaction and named statements as child spans", () => {
    const [request] = spansOf("POST /rpc/account/signUp");
    const [procedure] = spansOf("procedure account.signUp");
    expect(procedure?.parentSpanId).toBe(request?.spanId);
    const parts = receiver.spans().filter(({ traceId }) => traceId === request?.traceId);
    expect(parts.map(({ name }) => name)).toContain("transaction");
    expect(
      receiver.spans().some(({ name, parentSpanId }) => /^statement [a-z_]+$/.test(name) && parentSpanId),
    ).toBe(true);
  });

  test("has a separate trace for its batch of bids", () => {
    const [batch] = spansOf("bids");
    expect(batch?.attributes["bids"]).toBe(1);
    expect(batch?.parentSpanId).toBe("");
  });

  test("that fails is marked as an error, with its id", () => {
    const [failed] = spansOf("POST /rpc/auctions/list");
    expect(failed?.status.code).toBe(2);
    expect(failed?.attributes["wayfare.request_id"]).toBe(requestId);
  });

  test("begins a new trace, whatever the client sends", () => {
    const [request] = spansOf("GET /files/documents/:id");
    expect(request?.traceId).not.toBe(parent.traceId);
    expect(request?.parentSpanId).toBe("");
  });

  test("leads to jobs with traces of their own", () => {
    expect(spansOf("job mail").every(({ parentSpanId }) => parentSpanId === "")).toBe(true);
    expect(spansOf("job mail").length).toBeGreaterThan(0);
  });

  test("leaves no URL, input or error message in a trace", () => {
    expect(receiver.texts.join()).not.toContain(secret);
  });
});

test("a trace may begin at our proxy if its ids are trusted", async () => {
  const receiver = await traced(
    async (w) => void (await w.app.request("/healthz", { headers: { traceparent } })),
    { TRUST_PROXY: "1", TRUST_REQUEST_IDS: "on" },
  );
  expect(receiver.spans()).toEqual([
    expect.objectContaining({
      name: "GET /healthz",
      traceId: parent.traceId,
      parentSpanId: parent.spanId,
    }),
  ]);
});

test("a log line names its trace", async () => {
  let line: unknown;
  const receiver = await traced(
    async (w) => {
      await w.app.request("/healthz");
      line = w.log.find(({ msg }) => msg === "answered");
    },
    { ACCESS_LOG: "on" },
  );
  expect(line).toMatchObject({ traceId: receiver.spans()[0]?.traceId });
});

test("a trace that is not sampled sends nothing", async () => {
  const receiver = await traced(
    async (w) => {
      const { caller } = await person(w, "student", "active");
      expect((await caller.call("account.me")).status).toBe(200);
    },
    {},
    "parentbased_traceidratio",
  );
  expect(receiver.texts).toEqual([]);
});
