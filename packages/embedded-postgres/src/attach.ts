import type { Binaries } from "./binaries.ts";
import { type Answer, ask } from "./client.ts";
import { longestRecovery } from "./launch.ts";
import type { Location } from "./location.ts";
import { clearAway, mayRun, stopPostmaster } from "./postmaster.ts";
import { until } from "./until.ts";

/** Milliseconds. A server listens before it does anything else: one that stays silent for longer is none, or stuck. */
const longestSilence = 10_000;

/**
 * Takes over the server that a killed program has left running on this cluster, once it answers queries.
 * False when there is none; then nothing claims any more that one runs.
 */
export async function attach(location: Location, binaries: Binaries): Promise<boolean> {
  const answer = await settledAnswer(location);
  if (answer === "ready") return true;
  if (answer !== "absent" && !(await stopPostmaster(location, binaries)))
    throw new Error(`PostgreSQL runs on ${location.cluster}, but neither responds nor stops.`);
  await clearAway(location);
  return false;
}

/** How the server answers when it has started, recovered or shut down. */
async function settledAnswer(location: Location): Promise<Answer> {
  let answer: Answer = "absent";
  let lastSign = performance.now();
  await until(async () => {
    answer = await ask(location);
    if (answer === "ready") return true;
    if (answer === "busy") lastSign = performance.now();
    // From within another container its process can't be seen: so the server is asked first.
    if (answer === "absent" && !(await mayRun(location.cluster))) return true;
    return performance.now() - lastSign > longestSilence;
  }, longestRecovery);
  return answer;
}
