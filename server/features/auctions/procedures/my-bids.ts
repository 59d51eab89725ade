import { z } from "zod";
import { cursorForm } from "#server/platform/cursor.ts";
import { cursorOf, signedIn } from "#server/procedures.ts";
import { listMyBids } from "../queries/my-bids.ts";

const bidCursor = cursorForm(z.string().regex(/^\d{1,15}$/), z.uuid());

export const myBids = {
  myBids: signedIn.auctions.myBids.handler(async ({ input, context }) => {
    const { services, session } = context;
    return await listMyBids(services.database.db, session.userId, cursorOf(input.cursor, bidCursor));
  }),
};
