import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { notificationKinds } from "#domain/notification.ts";

/** The kinds of mail that a link switches off for one person. */
const subscription = z.tuple([z.string(), z.array(z.enum(notificationKinds)).min(1)]);
export type Subscription = { userId: string; kinds: z.infer<typeof subscription>[1] };
export type UnsubscribeLinks = ReturnType<typeof createUnsubscribeLinks>;

/**
 * Links of mails that switch off their kind without login. They work as long as the session secret stays, since a mail
 * may lie for years: all that one can do is switch off a mail that its reader got.
 */
export function createUnsubscribeLinks(secret: string, baseUrl: string) {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "wayfare unsubscribe link", 32));
  const sign = (text: string) => createHmac("sha256", key).update(text).digest();

  return {
    make({ userId, kinds }: Subscription): string {
      const text = Buffer.from(JSON.stringify([userId, kinds])).toString("base64url");
      return `${baseUrl}/unsubscribe?token=${text}.${sign(text).toString("base64url")}`;
    },
    /** What a token lets its bearer switch off; null for one that is not ours. */
    read(token: string): Subscription | null {
      const [text = "", signature = ""] = token.split(".");
      const given = Buffer.from(signature, "base64url");
      const want = sign(text);
      if (given.length !== want.length || !timingSafeEqual(given, want)) return null;
      const { data } = subscription.safeParse(JSON.parse(Buffer.from(text, "base64url").toString()));
      return data ? { userId: data[0], kinds: data[1] } : null;
    },
  };
}
