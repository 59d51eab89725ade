import { z } from "zod";
import { notificationKinds } from "#domain/notification.ts";
import { pushEndpointLimit } from "#domain/push.ts";
import { done, guarded, text } from "./base.ts";
import { declared } from "./errors.ts";

const endpoint = text(pushEndpointLimit).min(1);
/** A point of the curve P-256, uncompressed, in base64url. */
const point = z.string().regex(/^[\w-]{87}$/);

/** A browser's PushSubscription. `serverKey` is the server's key that it was created for. */
const subscription = z.object({
  endpoint,
  p256dh: point,
  auth: z.string().regex(/^[\w-]{22}$/),
  serverKey: point,
});
export type BrowserSubscription = z.infer<typeof subscription>;

const pushSwitch = z.object({ kind: z.enum(notificationKinds), on: z.boolean() });

/** Notifications that reach a user's browsers while Wayfare is closed (Web Push). A subscription belongs to a login. */
export const push = {
  /** The caller's switches, and whether the browser with this endpoint is subscribed in this login. */
  settings: guarded({ who: "signedIn", reads: true })
    .input(z.object({ endpoint: endpoint.nullable() }))
    .output(z.object({ subscribed: z.boolean(), switches: z.array(pushSwitch) })),

  /**
   * Subscribes a browser, in place of the oldest if the account has ten. `failed-precondition`: the browser subscribed
   * for a key that is no longer in use.
   */
  subscribe: guarded({ who: "signedIn" })
    .errors(declared("failed-precondition"))
    .input(subscription)
    .output(done),

  /**
   * Replaces the caller's `former` subscription with one that the browser has created automatically. `renewed` is false
   * if the former one has ended.
   */
  renew: guarded({ who: "signedIn" })
    .errors(declared("failed-precondition"))
    .input(z.object({ ...subscription.shape, former: endpoint }))
    .output(z.object({ renewed: z.boolean() })),

  /** Ends the caller's subscription with this endpoint, if there is one. */
  unsubscribe: guarded({ who: "signedIn" }).input(z.object({ endpoint })).output(done),

  /** Switches a kind on or off for all browsers of the caller. `not-found`: their role has no such notifications. */
  setSwitch: guarded({ who: "signedIn" }).errors(declared("not-found")).input(pushSwitch).output(done),
};
