import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";

const attribute = z.object({
  key: z.string(),
  value: z
    .object({ stringValue: z.string(), intValue: z.coerce.number() })
    .partial()
    .transform(({ stringValue, intValue }) => stringValue ?? intValue),
});
const attributes = z
  .array(attribute)
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));
/** Nanoseconds since 1970. */
const time = z.coerce.bigint();
const spanForm = z
  .object({
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    name: z.string(),
    traceId: z.string(),
    spanId: z.string(),
    parentSpanId: z.string().default(""),
    attributes,
    status: z.object({ code: z.number().default(0) }).default({ code: 0 }),
  })
  .transform(({ startTimeUnixNano, endTimeUnixNano, ...span }) => ({
    ...span,
    /** Milliseconds since 1970. */
    startedAt: Number(startTimeUnixNano) / 1e6,
    milliseconds: Number(endTimeUnixNano - startTimeUnixNano) / 1e6,
  }));
export type ReceivedSpan = z.infer<typeof spanForm>;
/** The JSON form of OTLP. */
const traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(spanForm) })),
    }),
  ),
});

/** Opens an OpenTelemetry collector on this machine, which records what it receives as texts and as spans. */
export async function openTraceReceiver() {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      texts.push(body);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const received = () => texts.flatMap((body) => traces.parse(JSON.parse(body)).resourceSpans);
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    texts: texts as readonly string[],
    services: () => received().map(({ resource }) => resource.attributes),
    spans: (): ReceivedSpan[] =>
      received().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
