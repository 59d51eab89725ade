import { setTimeout } from "node:timers/promises";

const longestWait = 30_000;

/** Waits until every node says this line at its METRICS_PORT; resolves to the milliseconds that it took. */
export async function untilMetric(ports: readonly string[], line: string): Promise<number> {
  const says = async (port: string) =>
    (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split("\n").includes(line);
  const began = performance.now();
  while (!(await Promise.all(ports.map(says))).every(Boolean)) {
    if (performance.now() - began > longestWait) throw new Error(`"${line}" did not come true`);
    await setTimeout(50);
  }
  return Math.round(performance.now() - began);
}
