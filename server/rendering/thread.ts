import { setPriority } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import type { OnServer } from "#contract/on-server.ts";
import { type Build, createRenderer, type PageRequest, styleReader } from "./render.ts";
import type { ThreadAnswer, ThreadData } from "./render-thread.ts";

// On Linux each thread has its own priority. With few cores, bids come before pages, and pages before pictures: the
// niceness is between the server's 0 and the 15 of `picture-maker.ts`.
if (process.platform === "linux") setPriority(5);

const { folder, configuration }: ThreadData = workerData;
const build: Build = await import(pathToFileURL(join(folder, "server/index.js")).href);
const render = createRenderer(build, configuration, styleReader(join(folder, "client")));

type Job = PageRequest & { answers: MessagePort; calls: MessagePort };

async function carryOut({ answers, calls, ...request }: Job): Promise<void> {
  const rpc: OnServer["rpc"] = createORPCClient(new RPCLink({ port: calls }));
  const answer = (what: ThreadAnswer) => answers.postMessage(what);
  const report = (error: unknown) => answer({ error });
  try {
    answer({ page: await render(request, { rpc, report }) });
  } catch (failure) {
    answer({ failure });
  }
  answers.close();
  calls.close();
}

parentPort?.on("message", (job: Job) => void carryOut(job));
