import { z } from "zod";
import { notificationKinds } from "#domain/notification.ts";
import { pushEndpointLimit } from "#domain/push.ts";
import { done, guarded, text } from "./base.ts";
import { declared } from "./errors.ts";

const endpoint = text(pushEndpointLimit).min(1);
/** A point of the curve P-256, uncompressed, in base64url. */
const point = z.string().regex(/^[\w-]{87}$/);

/** A browser's PushSubscription. `serverKey` is our key that it was made for. */
const subscription = z.object({
  endpoint,
  p256dh: point,
  auth: z.string().regex(/^[\w-]{22}$/),
  serverKey: point,
});
export type BrowserSubscription = z.infer<typeof subscription>;

const pushSwitch = z.object({ kind: z.enum(notificationKinds), on: z.boolean() });

/** News that reaches somebody's browsers while Wayfare is closed (Web Push). A subscription belongs to a login. */
export const push = {
  /** The asker's switches, and whether the browser with this endpoint is subscribed in this login. */
  settings: guarded({ who: "signedIn", reads: true })
    .input(z.object({ endpoint: endpoint.nullable() }))
    .output(z.object({ subscribed: z.boolean(), switches: z.array(pushSwitch) })),

  /**
   * Subscribes a browser, in place of the oldest where the account has ten. `failed-precondition`: the browser subscribed
   * for a key that is gone.
   */
  subscribe: guarded({ who: "signedIn" })
    .errors(declared("failed-precondition"))
    .input(subscription)
    .output(done),

  /**
   * Puts what the browser has by itself made anew in the place of the asker's `former` subscription. `renewed` is false if
   * that one has ended.
   */
  renew: guarded({ who: "signedIn" })
    .errors(declared("failed-precondition"))
    .input(z.object({ ...subscription.shape, former: endpoint }))
    .output(z.object({ renewed: z.boolean() })),

  /** Ends the asker's subscription with this endpoint, if there is one. */
  unsubscribe: guarded({ who: "signedIn" }).input(z.object({ endpoint })).output(done),

  /** Switches a kind of news on or off for all browsers of the asker. `not-found`: their role has none of that kind. */
  setSwitch: guarded({ who: "signedIn" }).errors(declared("not-found")).input(pushSwitch).output(done),
};
