import {
  type ErrorCode,
  isCatalogueCode,
  messageOf,
  unexpectedError,
  unknownError,
} from "#domain/error-catalogue.ts";

/** Contents of the error modal. `code` is null if not in the catalogue; `requestId` is set if the server failed. */
export type FriendlyError = { message: string; code: string | null; requestId?: string };

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const isKnown = (code: string): code is keyof typeof messageOf => Object.hasOwn(messageOf, code);

/** Whether an error has this code, even one that the modal doesn't show. */
export const hasCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/**
 * Returns the friendly message for any thrown value: the error's own text, else the catalogue's for its code, else one
 * of the two default texts. The server takes the text of a coded error from the catalogue.
 */
export function friendlyError(error: unknown): FriendlyError {
  if (error === undefined || error === null) return { message: unknownError, code: null };
  if (typeof error === "string") return { message: error === "" ? unexpectedError : error, code: null };
  if (typeof error !== "object") return { message: unexpectedError, code: null };
  const fields: { code?: unknown; message?: unknown; data?: unknown } = error;
  const code = textOf(fields.code);
  const message = textOf(fields.message) || (isKnown(code) ? messageOf[code] : unexpectedError);
  const { requestId: id }: { requestId?: unknown } = Object(fields.data);
  const requestId = textOf(id);
  return { message, code: isCatalogueCode(code) ? code : null, ...(requestId && { requestId }) };
}
