/** Returns the code of the system ("ENOENT" …) or of PostgreSQL for what went wrong, of an error or of its cause. */
export function errorCode(error: unknown): string | null {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  for (const at of [error, cause]) {
    const { code }: { code?: unknown } = Object(at);
    if (typeof code === "string") return code;
  }
  return null;
}
