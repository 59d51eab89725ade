/** Milliseconds between two ticks of the timer. */
const tickEvery = 1000;

/**
 * Calls `beat` for each member once in a while, by one timer for all: every second for a part of them, so that many
 * members do not all beat at the same moment. No member, no timer.
 */
export function createHeartbeats<Member>(beat: (member: Member) => void, everyMilliseconds: number) {
  const buckets = Array.from(
    { length: Math.max(1, Math.round(everyMilliseconds / tickEvery)) },
    () => new Set<Member>(),
  );
  const bucketOf = new Map<Member, Set<Member>>();
  let at = 0;
  let timer: NodeJS.Timeout | undefined;

  const current = () => buckets[at % buckets.length];

  function tick() {
    at++;
    for (const member of current() ?? []) beat(member);
  }

  return {
    /** The first beat comes one whole interval later. */
    add(member: Member): void {
      const bucket = current()?.add(member);
      if (bucket) bucketOf.set(member, bucket);
      timer ??= setInterval(tick, Math.min(tickEvery, everyMilliseconds));
    },
    remove(member: Member): void {
      bucketOf.get(member)?.delete(member);
      bucketOf.delete(member);
      if (bucketOf.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
