import {
  type ErrorCode,
  isCatalogueCode,
  messageOf,
  unexpectedError,
  unknownError,
} from "#domain/error-catalogue.ts";

/** What the error modal shows: `code` only where the catalogue has it, `requestId` of what failed on our side. */
export type FriendlyError = { message: string; code: string | null; requestId?: string };

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const isKnown = (code: string): code is keyof typeof messageOf => Object.hasOwn(messageOf, code);

/** Also for codes that the modal does not show. */
export const hasCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/**
 * The friendly message for anything that was thrown: the error's own text, which for a coded error the
 * server took from the catalogue, else the catalogue's, else the two default texts.
 */
export function friendlyError(error: unknown): FriendlyError {
  if (error === undefined || error === null) return { message: unknownError, code: null };
  if (typeof error === "string") return { message: error === "" ? unexpectedError : error, code: null };
  if (typeof error !== "object") return { message: unexpectedError, code: null };
  const given: { code?: unknown; message?: unknown; data?: unknown } = error;
  const code = textOf(given.code);
  const message = textOf(given.message) || (isKnown(code) ? messageOf[code] : unexpectedError);
  const { requestId: id }: { requestId?: unknown } = Object(given.data);
  const requestId = textOf(id);
  return { message, code: isCatalogueCode(code) ? code : null, ...(requestId && { requestId }) };
}
