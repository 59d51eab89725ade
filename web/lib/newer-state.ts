/**
 * Returns the newer of two states of a product; null once it is off sale, which is final. Versions only grow. `known` is
 * undefined before the first one.
 */
export function newer<State extends { version: number }>(
  known: State | null | undefined,
  other: State | null,
): State | null {
  if (known === undefined || other === null) return other;
  return known === null || known.version > other.version ? known : other;
}
