import { randomUUID } from "node:crypto";
import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, trace } from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TracingSettings } from "./tracing.ts";

/**
 * The only module that runs OpenTelemetry's SDK. Others import only its type: `npm run build` bundles it with the SDK,
 * so that a production install needs neither (docs/adr/0024).
 */
type Start = {
  parent?: Span | undefined;
  remoteParent?: string | undefined;
  isRequest?: boolean;
  attributes?: Attributes;
};
export type Tracer = ReturnType<typeof openTracer>;

const samplers: Record<TracingSettings["sampler"], (share: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (share) => new TraceIdRatioBasedSampler(share),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (share) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
};

/**
 * Creates a tracer that sends spans as JSON to the collector. The SDK reads headers, timeout and the service's name
 * from OTEL_* variables. `version` is passed in, because the bundle doesn't know where package.json is.
 */
export function openTracer({ url, sampler, share }: TracingSettings, version: string) {
  const provider = new TracerProvider({
    sampler: samplers[sampler](share),
    resource: resourceFromAttributes({
      "service.name": "wayfare",
      "service.version": version,
      // Nodes of one machine, and a node before and after a restart, are different instances.
      "service.instance.id": randomUUID(),
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  const tracer = provider.getTracer("wayfare");
  return {
    start(name: string, { parent, remoteParent, isRequest = false, attributes = {} }: Start): Span {
      const remote = remoteParent === undefined ? null : parseTraceParent(remoteParent);
      const context = parent
        ? trace.setSpan(ROOT_CONTEXT, parent)
        : remote
          ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true })
          : ROOT_CONTEXT;
      const kind = isRequest ? SpanKind.SERVER : SpanKind.INTERNAL;
      return tracer.startSpan(name, { kind, attributes }, context);
    },
    stop: () => provider.shutdown(),
  };
}
