import { useSyncExternalStore } from "react";

/** The student whose papers can be opened once a reason is given. */
type Student = { id: string; name: string };

/** Calls that wait for the person to give a reason. */
let waiting: readonly { student: Student; settle: (isExplained: boolean) => void }[] = [];
const listeners = new Set<() => void>();

function setWaiting(calls: typeof waiting) {
  waiting = calls;
  for (const listener of listeners) listener();
}

/** Reads the student out of the server's refusal; null when it names none. */
function studentIn(refusal: unknown): Student | null {
  const { data }: { data?: unknown } = Object(refusal);
  const { student }: { student?: unknown } = Object(data);
  const { id, name }: { id?: unknown; name?: unknown } = Object(student);
  return typeof id === "string" && typeof name === "string" ? { id, name } : null;
}

/**
 * Asks an admin why they open the papers of the student whom a refusal names; resolves to false if they decline.
 * Concurrent calls about one student ask once.
 */
export const askLookReason = (refusal: unknown): Promise<boolean> =>
  new Promise((resolve) => {
    const student = studentIn(refusal);
    if (student) setWaiting([...waiting, { student, settle: resolve }]);
    else resolve(false);
  });

/** Lets the calls about a student continue; null gives up all waiting calls. */
export function settleLookReason(student: Student | null): void {
  const settled = student ? waiting.filter((each) => each.student.id === student.id) : waiting;
  setWaiting(waiting.filter((each) => !settled.includes(each)));
  for (const { settle } of settled) settle(student !== null);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns the student about whom the first waiting call needs a reason; null if no call waits. */
export const useStudentToExplain = (): Student | null =>
  useSyncExternalStore(
    subscribe,
    () => waiting[0]?.student ?? null,
    () => null,
  );
