import { withOwnData } from "#server/features/privacy/own-data.ts";
import type { Wayfare } from "./wayfare.ts";

/** Returns the JSON file of a person's "Download my data" as text. */
export const ownData = ({ services }: Wayfare, userId: string): Promise<string> =>
  withOwnData(services, { userId, address: "" }, async ({ open }) => {
    const pieces: Buffer[] = [];
    for await (const piece of open()) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  });
