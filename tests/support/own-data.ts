import { withOwnData } from "#server/features/privacy/own-data.ts";
import type { Wayfare } from "./wayfare.ts";

/** Returns what "Download my data" says of somebody, as the text of its JSON file. */
export const ownData = ({ services }: Wayfare, userId: string): Promise<string> =>
  withOwnData(services, { userId, address: "" }, async ({ open }) => {
    const pieces: Buffer[] = [];
    for await (const piece of open()) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  });
