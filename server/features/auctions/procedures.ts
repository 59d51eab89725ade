import { bidding } from "./bidding/procedures.ts";
import { catalogue } from "./catalogue/procedures.ts";

export const auctions = { ...catalogue, ...bidding };
