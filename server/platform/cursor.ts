import { z } from "zod";
import { isUuid } from "#domain/uuid.ts";

/** PostgreSQL takes neither a NUL character nor half of a surrogate pair. */
const text = z.string().refine((value) => !value.includes("\0") && value.isWellFormed());
/** PostgreSQL has no year 0, and nothing of ours is older than 1970. */
const time = z.iso.datetime().refine((written) => Date.parse(written) >= 0);
const moment = z.tuple([time.transform((written) => new Date(written)), text]);
const entry = z.tuple([text, text]);

const encode = (place: readonly [string, string]): string =>
  Buffer.from(JSON.stringify(place)).toString("base64url");

function decode<Place>(written: string, form: z.ZodType<Place>): Place | null {
  try {
    return form.parse(JSON.parse(Buffer.from(written, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

/** A place in a list that is ordered by time and id, as the text that a browser sends back. */
export const encodeCursor = ({ date, id }: { date: Date; id: string }): string =>
  encode([date.toISOString(), id]);

/** The place again; null when the text is none of ours. */
export function decodeCursor(written: string): { date: Date; id: string } | null {
  const place = decode(written, moment);
  return place && { date: place[0], id: place[1] };
}

/** The place in a list whose ids are UUIDs: PostgreSQL refuses to compare one with anything else. */
export function decodeUuidCursor(written: string): { date: Date; id: string } | null {
  const place = decodeCursor(written);
  return place && isUuid(place.id) ? place : null;
}

/** The same in a list that is ordered by a text and id. */
export const encodeTextCursor = ({ key, id }: { key: string; id: string }): string => encode([key, id]);

export function decodeTextCursor(written: string): { key: string; id: string } | null {
  const place = decode(written, entry);
  return place && { key: place[0], id: place[1] };
}
