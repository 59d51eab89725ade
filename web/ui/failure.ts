import { type FriendlyError, friendlyError } from "#domain/friendly-error.ts";

/** What went wrong, in words for the person; `field` is the input that it is about. */
export type Failure = FriendlyError & { field: string | null };

function fieldOf(error: unknown): string | null {
  const { field, data }: { field?: unknown; data?: unknown } = Object(error);
  // A check of ours names the field itself; the server's error carries it in its data.
  return typeof field === "string" ? field : data ? fieldOf(data) : null;
}

export const failureOf = (error: unknown): Failure => ({ ...friendlyError(error), field: fieldOf(error) });
