/**
 * Returns the newer of two states of a product; null once it is off sale, which is final. Versions only grow. `one` is
 * undefined if no state is known yet.
 */
export function newer<State extends { version: number }>(
  one: State | null | undefined,
  other: State | null,
): State | null {
  if (one === undefined || other === null) return other;
  return one === null || one.version > other.version ? one : other;
}
