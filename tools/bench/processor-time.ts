import { readdir, readFile } from "node:fs/promises";

/** Returns the milliseconds that all threads of another process have spent on a processor so far. */
export async function processorTime(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const texts = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8")),
  );
  return texts.reduce((sum, text) => sum + Number(text.split(" ", 1)[0]) / 1e6, 0);
}

/** Returns milliseconds of a clock that all processes of this machine share. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6;
