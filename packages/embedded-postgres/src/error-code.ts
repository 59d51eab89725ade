/** Returns the system's ("ENOENT" …) or PostgreSQL's code of an error or of its cause; null if there is none. */
export function errorCode(error: unknown): string | null {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  for (const at of [error, cause]) {
    const { code }: { code?: unknown } = Object(at);
    if (typeof code === "string") return code;
  }
  return null;
}
