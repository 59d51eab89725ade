import { MessageChannel, Worker } from "node:worker_threads";
import { createRouterClient, ORPCError, onError } from "@orpc/server";
import { RPCHandler } from "@orpc/server/message-port";
import type { PageConfiguration } from "#protocol/configuration.ts";
import { router } from "#server/features/index.ts";
import { span } from "#server/platform/tracing.ts";
import type { RequestContext } from "#server/procedures.ts";
import type { Services } from "#server/services.ts";
import type { Calls, Page, PageRequest, Render } from "./render.ts";

/** Data with which the thread is started. `folder` is the build's. */
export type ThreadData = { folder: string; configuration: PageConfiguration };
/** The thread's answers to a request: errors for the log, then the page or the reason why there is none. */
export type ThreadAnswer = { error: unknown } | { page: Page } | { failure: unknown };

/** Loaders call as a visitor: HTML is the same for everyone. */
const asVisitor = (services: Services): RequestContext => ({
  services,
  session: null,
  cookies: null,
  address: "",
  userAgent: null,
});

/** Returns the calls for pages that are rendered in this thread, as in development. */
export const localCalls = (services: Services): Calls => ({
  rpc: createRouterClient(router, { context: asVisitor(services) }),
  report: (error) => services.log.error({ err: error }, "a page could not be made"),
});

/**
 * Renders pages in a separate thread, so that no bid waits for one. When the thread ends, its requests fail, and the
 * next one starts another.
 */
export function openRenderThread(data: ThreadData, services: Services): Render {
  const { report } = localCalls(services);
  const handler = new RPCHandler(router, {
    clientInterceptors: [({ path, next }) => span(`procedure ${path.join(".")}`, {}, () => next())],
    // Only here are errors compared with the contract. The thread learns only that a call failed.
    interceptors: [
      onError((error) => {
        if (!(error instanceof ORPCError && error.defined)) report(error);
      }),
    ],
  });
  let thread: Worker | null = null;

  function runningThread(): Worker {
    if (thread) return thread;
    const worker = new Worker(new URL("thread.ts", import.meta.url), { workerData: data });
    worker.unref();
    worker.on("error", report);
    worker.on("exit", () => {
      thread = null;
    });
    thread = worker;
    return worker;
  }
  runningThread();

  return (request: PageRequest): Promise<Page> =>
    new Promise((resolve, reject) => {
      const answers = new MessageChannel();
      const calls = new MessageChannel();
      handler.upgrade(calls.port1, { context: asVisitor(services) });
      calls.port1.start();
      const worker = runningThread();
      const ended = () => reject(new Error("the thread that renders pages ended"));
      worker.once("exit", ended);
      answers.port1.on("message", (answer: ThreadAnswer) => {
        if ("error" in answer) return report(answer.error);
        worker.off("exit", ended);
        if ("page" in answer) resolve(answer.page);
        else reject(answer.failure);
      });
      const ports = { answers: answers.port2, calls: calls.port2 };
      worker.postMessage({ ...request, ...ports }, Object.values(ports));
    });
}
