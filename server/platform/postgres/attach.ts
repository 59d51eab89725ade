import { ask } from "./client.ts";
import { longestRecovery } from "./launch.ts";
import type { Location } from "./location.ts";
import { clearAway, postmasterOf, stopPostmaster } from "./postmaster.ts";
import { until } from "./until.ts";

/** A server listens before it does anything else: one that stays silent for longer can not be reached. */
const longestSilence = 10_000;

/**
 * Takes over the server that a killed Wayfare has left running on this cluster, once it answers queries.
 * False when there is none; then nothing of an earlier one is left either.
 */
export async function attach(location: Location): Promise<boolean> {
  // Asked first: from within another container its process can not be seen.
  if ((await ask(location)) === "ready") return true;
  if ((await postmasterOf(location.cluster)) !== null) {
    if (await comesUp(location)) return true;
    const ended = async () => (await postmasterOf(location.cluster)) === null;
    if (!(await stopPostmaster(location.cluster)) && !(await until(ended, 6000))) {
      throw new Error(`PostgreSQL runs on ${location.cluster}, but neither responds nor stops.`);
    }
  }
  await clearAway(location);
  return false;
}

/** Waits for a server that starts, recovers or shuts down; false when it ends or can not be reached. */
async function comesUp(location: Location): Promise<boolean> {
  let lastAnswer = performance.now();
  let ready = false;
  await until(async () => {
    const answer = await ask(location);
    ready = answer === "ready";
    if (answer === "busy") lastAnswer = performance.now();
    if (ready || performance.now() - lastAnswer > longestSilence) return true;
    return (await postmasterOf(location.cluster)) === null;
  }, longestRecovery);
  return ready;
}
