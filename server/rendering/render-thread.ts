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
/**
 * Answers of the thread to a request: any number of errors for the log, then the page or the reason why there is none.
 */
export type ThreadAnswer = { error: unknown } | { page: Page } | { failure: unknown };

/** Loaders ask as a visitor: HTML is the same for everyone. */
const asVisitor = (services: Services): RequestContext => ({
  services,
  session: null,
  cookies: null,
  address: "",
  userAgent: null,
});

/** For pages that are rendered in this thread, as in development. */
export const localCalls = (services: Services): Calls => ({
  rpc: createRouterClient(router, { context: asVisitor(services) }),
  report: (error) => services.log.error({ err: error }, "a page could not be made"),
});

/**
 * Renders pages in a thread of its own, so that no bid waits for one. When the thread ends, its requests fail, and the
 * next one starts another.
 */
export function openRenderThread(data: ThreadData, services: Services): Render {
  const { report } = localCalls(services);
  const handler = new RPCHandler(router, {
    clientInterceptors: [({ path, next }) => span(`procedure ${path.join(".")}`, {}, () => next())],
    // Only here is an error compared with the contract. The thread learns no more than that it failed.
    interceptors: [
      onError((error) => {
        if (!(error instanceof ORPCError && error.defined)) report(error);
      }),
    ],
  });
  let thread: Worker | null = null;

  function running(): Worker {
    if (thread) return thread;
    const begun = new Worker(new URL("thread.ts", import.meta.url), { workerData: data });
    begun.unref();
    begun.on("error", report);
    begun.on("exit", () => {
      thread = null;
    });
    thread = begun;
    return begun;
  }
  running();

  return (request: PageRequest): Promise<Page> =>
    new Promise((resolve, reject) => {
      const answers = new MessageChannel();
      const calls = new MessageChannel();
      handler.upgrade(calls.port1, { context: asVisitor(services) });
      calls.port1.start();
      const worker = running();
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
