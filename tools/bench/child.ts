import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

export type Child = ReturnType<typeof openChild>;

/** Opens a separate process that runs a file of this folder, and answers each order with one message. */
export function openChild(file: string) {
  const child: ChildProcess = fork(new URL(file, import.meta.url));
  return {
    pid: child.pid ?? 0,
    async ask(order?: object): Promise<unknown> {
      const answer = once(child, "message");
      if (order) child.send(order);
      const [message]: unknown[] = await answer;
      return message;
    },
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}
