/** Returns a random UUID. `crypto.randomUUID` is missing on plain http, except on localhost. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Version 4, variant 1 (RFC 9562, section 5.4).
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x40], 6);
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * The idempotency keys of calls whose outcome is unknown, by their content. If a failure leaves open whether a call was
 * carried out, a retry uses the first try's key, so that the server never carries it out twice.
 */
export class IdempotencyKeys {
  readonly #open = new Map<string, string>();

  of(content: string): string {
    const key = this.#open.get(content) ?? randomUuid();
    this.#open.set(content, key);
    return key;
  }
  /** Whether the outcome of a call with this content is still unknown. */
  isOpen(content: string): boolean {
    return this.#open.has(content);
  }
  /** Records that the server answered: from now on the same content is a new call. */
  answered(content: string): void {
    this.#open.delete(content);
  }
}
