import { z } from "zod";
import { notificationKinds } from "#domain/notification.ts";
import type { Keys } from "#server/platform/keys.ts";

/** The kinds of mail that a link switches off for one person. */
const subscription = z.tuple([z.string(), z.array(z.enum(notificationKinds)).min(1)]);
export type Subscription = { userId: string; kinds: z.infer<typeof subscription>[1] };

/**
 * Creates the links in mails that switch off their kind without a login. They work as long as the session secret is
 * kept, because mails may be read years later: such a link can only switch off a mail that its reader got.
 */
export function createUnsubscribeLinks(keys: Pick<Keys, "signer">, baseUrl: string) {
  const signer = keys.signer("unsubscribeLink");

  return {
    make({ userId, kinds }: Subscription): string {
      const text = Buffer.from(JSON.stringify([userId, kinds])).toString("base64url");
      return `${baseUrl}/unsubscribe?token=${text}.${signer.sign(text).toString("base64url")}`;
    },
    /** Reads the kinds of mail that a token lets its bearer switch off; null for an invalid token. */
    read(token: string): Subscription | null {
      const [text = "", signature = ""] = token.split(".");
      if (!signer.accepts(text, signature)) return null;
      const { data } = subscription.safeParse(JSON.parse(Buffer.from(text, "base64url").toString()));
      return data ? { userId: data[0], kinds: data[1] } : null;
    },
  };
}
