import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Log } from "#server/platform/log.ts";
import { type Result, result, type Task } from "./messages.ts";

export type PictureMaker = ReturnType<typeof createPictureMaker>;
/** `damaged` is also said of a file that takes too long. */
export type MadePicture = { kind: "made"; width: number; height: number } | { kind: "damaged" };

const processFile = fileURLToPath(new URL("process.ts", import.meta.url));

/**
 * Has pictures made ready in a process of their own, one for this node: what a hostile file does to a decoder, it does
 * not do to the server. It gets one picture at a time, so that a large one takes its memory once, and one that breaks
 * it harms no other; the next picture finds a new one. `longest`: milliseconds that one picture may take.
 */
export function createPictureMaker(log: Log, longest = 30_000) {
  let current: ChildProcess | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let number = 0;
  let busy = false;
  let stopped = false;

  function begin(): ChildProcess {
    // No secrets in reach of a decoder, and fewer places for its memory to lie about in.
    const child = fork(processFile, { execArgv: [], env: { MALLOC_ARENA_MAX: "2" } });
    const gone = () => {
      if (current === child) current = null;
    };
    child.once("exit", gone);
    // Tried to start or to be told something, in vain; `exit` need not follow.
    child.on("error", (error) => {
      log.error({ err: error }, "the picture process failed");
      gone();
    });
    current = child;
    return child;
  }

  /** Its answer to one task. Rejects when it ends before that. */
  function ask(child: ChildProcess, task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      const answered = (message: unknown) => {
        const found = result.safeParse(message);
        if (found.success && found.data.number === task.number) end(() => resolve(found.data));
      };
      const broken = () => end(() => reject(new Error("the picture process ended in the middle")));
      const late = setTimeout(() => {
        log.warn({ milliseconds: longest }, "a picture took too long");
        child.kill("SIGKILL");
        end(() => resolve({ kind: "damaged", number: task.number }));
      }, longest);
      function end(settle: () => void) {
        clearTimeout(late);
        busy = false;
        child.off("message", answered).off("exit", broken).off("error", broken);
        settle();
      }
      child.on("message", answered).once("exit", broken).once("error", broken);
      busy = true;
      child.send(task);
    });
  }

  async function work(draft: string): Promise<MadePicture> {
    if (stopped) throw new Error("the server is stopping");
    const child = current?.connected && !current.killed ? current : begin();
    const found = await ask(child, { number: ++number, draft });
    if (found.kind === "failed") throw new Error(`a picture could not be made ready: ${found.message}`);
    return found.kind === "made"
      ? { kind: "made", width: found.width, height: found.height }
      : { kind: "damaged" };
  }

  return {
    /** Makes the files of a picture beside the draft, once those before it are done. */
    make(draft: string): Promise<MadePicture> {
      const made = turn.then(() => work(draft));
      turn = made.catch(() => {});
      return made;
    },
    /** The process, while it is at work on a picture. */
    workingPid: (): number | null => (busy ? (current?.pid ?? null) : null),
    stop(): void {
      stopped = true;
      current?.kill("SIGKILL");
    },
  };
}
