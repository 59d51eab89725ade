import { bidding } from "./procedures/bidding.ts";
import { finding } from "./procedures/find.ts";
import { myBids } from "./procedures/my-bids.ts";
import { selling } from "./procedures/selling.ts";

export const auctions = { ...finding, ...myBids, ...bidding, ...selling };
