import { AsyncLocalStorage } from "node:async_hooks";
import type { Attributes, Span } from "@opentelemetry/api";
import { quoteThis } from "#domain/error-catalogue.ts";
import type { Environment } from "./environment.ts";
import { errorCode } from "./error-code.ts";
import type * as OpenTelemetry from "./open-telemetry.ts";
import { ownVersion } from "./version.ts";

type WorkContext = {
  /** The request's id; a job has none. */
  requestId?: string;
  /** The span that the current work is a part of, if it is traced. */
  span?: Span;
};

/**
 * The request that the current code runs for, at any depth. Work that is done for many requests together, or continues
 * after one, must leave it: `requests.exit(…)`.
 */
export const requests = new AsyncLocalStorage<WorkContext>();

/** Returns the fields that every line of the log gets. */
export function requestFields(): { requestId?: string; traceId?: string } {
  const { requestId, span } = requests.getStore() ?? {};
  return { ...(requestId && { requestId }), ...(span && { traceId: span.spanContext().traceId }) };
}

export const quote = (requestId: string): string => `${quoteThis} ${requestId}`;

export type TracingSettings = NonNullable<Environment["tracing"]>;

/** The only tracer of the process; null while nothing is traced, which then costs next to nothing. */
let tracer: OpenTelemetry.Tracer | null = null;

/**
 * Starts tracing if OTEL_* variables ask for it. To be called before the database is opened. `module`: path of
 * `open-telemetry.ts` as `npm run build` bundles it, which is only loaded if needed.
 */
export async function startTracing(settings: TracingSettings | null, module: string): Promise<void> {
  if (settings === null) return;
  const { openTracer }: typeof OpenTelemetry = await import(module);
  tracer = openTracer(settings, ownVersion);
}

/** Sends the remaining spans. */
export async function stopTracing(): Promise<void> {
  const stopped = tracer;
  tracer = null;
  await stopped?.stop();
}

export const isTracing = (): boolean => tracer !== null;

type Options = {
  attributes?: Attributes;
  /** The header `traceparent` of a request from our proxy. */
  remoteParent?: string | undefined;
  isRequest?: boolean;
};

/**
 * Does the work within a span. Names and attributes come from our code or are counts, never personal data. Only the
 * name and code of an error are kept.
 */
export async function span<Result>(
  name: string,
  options: Options,
  work: (own: Span | null) => Promise<Result>,
): Promise<Result> {
  if (tracer === null) return await work(null);
  const context = requests.getStore();
  // A trace is kept as a whole or not at all.
  if (context?.span && !context.span.isRecording()) return await work(null);
  const own = tracer.start(name, { ...options, parent: context?.span });
  try {
    return await requests.run({ ...context, span: own }, () => work(own));
  } catch (error) {
    markFailed(own, error);
    throw error;
  } finally {
    own.end();
  }
}

/** Does the work within a span if the caller is traced, else without one. */
export const partSpan = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  requests.getStore()?.span?.isRecording() ? span(name, {}, work) : work();

function markFailed(own: Span, error: unknown): void {
  own.setStatus({ code: 2 });
  own.setAttribute("error.type", errorCode(error) ?? (error instanceof Error ? error.name : "unknown"));
}

const nameOf = (query: unknown): string | null =>
  typeof query === "object" && query !== null && "name" in query && typeof query.name === "string"
    ? query.name
    : null;

/** Creates a span for every named statement of a connection. Records neither its values nor unnamed statements. */
export function traceStatements(client: { query: (...args: never[]) => unknown }): void {
  const { query } = client;
  const run = (...args: unknown[]): unknown => Reflect.apply(query, client, args);
  Object.assign(client, {
    query(...args: unknown[]): unknown {
      const name = nameOf(args[0]);
      const parent = requests.getStore()?.span;
      if (name === null || !parent?.isRecording() || tracer === null) return run(...args);
      const own = tracer.start(`statement ${name}`, {
        parent,
        attributes: { "db.system.name": "postgresql" },
      });
      const ended = (error?: unknown) => {
        if (error) markFailed(own, error);
        own.end();
      };
      const callback = args.at(-1);
      if (typeof callback === "function") {
        const answer = (error: unknown, result: unknown): unknown => {
          ended(error);
          return callback(error, result);
        };
        return run(...args.slice(0, -1), answer);
      }
      const answer = run(...args);
      if (answer instanceof Promise) answer.then(() => ended(), ended);
      else ended();
      return answer;
    },
  });
}
