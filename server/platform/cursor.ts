import { z } from "zod";

const moment = z.tuple([z.iso.datetime().transform((text) => new Date(text)), z.string()]);

/** A place in a list that is ordered by time and id, as the text that a browser sends back. */
export const encodeCursor = ({ date, id }: { date: Date; id: string }): string =>
  Buffer.from(JSON.stringify([date.toISOString(), id])).toString("base64url");

/** The place again; null when the text is none of ours. */
export function decodeCursor(text: string): { date: Date; id: string } | null {
  try {
    const [date, id] = moment.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
    return id.includes("\0") ? null : { date, id };
  } catch {
    return null;
  }
}
