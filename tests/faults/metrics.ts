import { setTimeout } from "node:timers/promises";

const maxWait = 30_000;

/** Waits until every node reports this line at its METRICS_PORT; resolves to the milliseconds that it took. */
export async function untilMetric(ports: readonly string[], line: string): Promise<number> {
  const hasLine = async (port: string) =>
    (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split("\n").includes(line);
  const began = performance.now();
  while (!(await Promise.all(ports.map(hasLine))).every(Boolean)) {
    if (performance.now() - began > maxWait) throw new Error(`"${line}" did not come true`);
    await setTimeout(50);
  }
  return Math.round(performance.now() - began);
}
