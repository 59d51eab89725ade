import { decodeUuidCursor, encodeCursor } from "#server/platform/cursor.ts";
import { refusal, signedIn } from "#server/procedures.ts";
import { listMyBids } from "../queries/my-bids.ts";

export const myBids = {
  myBids: signedIn.auctions.myBids.handler(async ({ input, context }) => {
    const after = input.cursor === undefined ? null : decodeUuidCursor(input.cursor);
    if (input.cursor !== undefined && after === null) throw refusal("invalid-argument");
    const { services, session } = context;
    const { bids, next } = await listMyBids(services.database.db, session.userId, after);
    return { bids, next: next && encodeCursor(next) };
  }),
};
