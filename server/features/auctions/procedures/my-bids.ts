import { z } from "zod";
import { decodeTextCursor, encodeTextCursor } from "#server/platform/cursor.ts";
import { refusal, signedIn } from "#server/procedures.ts";
import { listMyBids } from "../queries/my-bids.ts";

const place = z.object({ key: z.string().regex(/^\d{1,15}$/), id: z.uuid() });
/** Where a page goes on, as a browser sends it back; null when it is none of ours. */
const placeIn = (cursor: string) => place.safeParse(decodeTextCursor(cursor)).data ?? null;

export const myBids = {
  myBids: signedIn.auctions.myBids.handler(async ({ input, context }) => {
    const after = input.cursor === undefined ? null : placeIn(input.cursor);
    if (input.cursor !== undefined && after === null) throw refusal("invalid-argument");
    const { services, session } = context;
    const { bids, next } = await listMyBids(services.database.db, session.userId, after);
    return { bids, next: next && encodeTextCursor(next) };
  }),
};
