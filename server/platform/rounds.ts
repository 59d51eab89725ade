/** Milliseconds between two steps of a round. */
const step = 1000;

/**
 * Looks after each member once in a while, by one timer for all: every second after those whose turn it is, so that
 * many members are not looked after all at once. No member, no timer.
 */
export function createRounds<Member>(lookAfter: (member: Member) => void, everyMilliseconds: number) {
  const turns = Array.from(
    { length: Math.max(1, Math.round(everyMilliseconds / step)) },
    () => new Set<Member>(),
  );
  const turnOf = new Map<Member, Set<Member>>();
  let at = 0;
  let timer: NodeJS.Timeout | undefined;

  const turn = () => turns[at % turns.length];

  function go() {
    at++;
    for (const member of turn() ?? []) lookAfter(member);
  }

  return {
    /** The first look comes one whole round later. */
    enter(member: Member): void {
      const mine = turn()?.add(member);
      if (mine) turnOf.set(member, mine);
      timer ??= setInterval(go, Math.min(step, everyMilliseconds));
    },
    leave(member: Member): void {
      turnOf.get(member)?.delete(member);
      turnOf.delete(member);
      if (turnOf.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
