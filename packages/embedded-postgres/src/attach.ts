import type { Binaries } from "./binaries.ts";
import { type Answer, ask } from "./client.ts";
import { longestRecovery } from "./launch.ts";
import type { Location } from "./location.ts";
import { mayRun, removeStaleFiles, stopPostmaster } from "./postmaster.ts";
import { until } from "./until.ts";

/** Milliseconds. A server listens before anything else: one that is silent for longer is absent or stuck. */
const longestSilence = 10_000;

/**
 * Takes over the server that a killed program has left running on this cluster, once it answers queries. Returns false
 * if there is none, and removes the files that claim one.
 */
export async function attach(location: Location, binaries: Binaries): Promise<boolean> {
  const answer = await settledAnswer(location);
  if (answer === "ready") return true;
  if (answer !== "absent" && !(await stopPostmaster(location, binaries)))
    throw new Error(`PostgreSQL runs on ${location.cluster}, but neither responds nor stops.`);
  await removeStaleFiles(location);
  return false;
}

/** Returns the server's answer once it has started, recovered or shut down. */
async function settledAnswer(location: Location): Promise<Answer> {
  let answer: Answer = "absent";
  let lastBusy = performance.now();
  await until(async () => {
    answer = await ask(location);
    if (answer === "ready") return true;
    if (answer === "busy") lastBusy = performance.now();
    // Its process can't be seen from another container, so the server is queried first.
    if (answer === "absent" && !(await mayRun(location.cluster))) return true;
    return performance.now() - lastBusy > longestSilence;
  }, longestRecovery);
  return answer;
}
