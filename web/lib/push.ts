import { queryOptions } from "@tanstack/react-query";
import type { BrowserSubscription } from "#contract/push.ts";
import type { NotificationKind } from "#domain/notification.ts";
import { pushWorkerPath } from "#protocol/addresses.ts";
import { configuration } from "./configuration.ts";
import { pushSubscriberId, storePushSubscriber } from "./push-memory.ts";
import { queryClient } from "./query-client.ts";
import { api, rpc } from "./rpc.ts";

/** Whether this browser can notify while Wayfare is closed. On iOS it can once Wayfare is on the Home Screen. */
const isSupported = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** `denied`: the person has forbidden it in the browser, which then doesn't ask again. */
export type Device = "unsupported" | "denied" | "off" | "on";

export const deniedWords =
  "Your browser doesn't let Wayfare notify you. To allow it, open the settings beside the page's address and set Notifications to Allow.";
const serviceFailed = "Your browser's notification service didn't answer. Please try again later.";

const base64url = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer())))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const keyOf = ({ options }: PushSubscription): string => base64url(options.applicationServerKey);

const toStored = (subscription: PushSubscription): BrowserSubscription => ({
  endpoint: subscription.endpoint,
  p256dh: base64url(subscription.getKey("p256dh")),
  auth: base64url(subscription.getKey("auth")),
  serverKey: keyOf(subscription),
});

/** Returns the browser's subscription, which another person may have made; null without one. */
async function ownSubscription(): Promise<PushSubscription | null> {
  if (!isSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Subscribes the browser with the server's current key, replacing a subscription with a former key. */
async function subscribeBrowser(): Promise<void> {
  const { pushKey } = configuration();
  const { pushManager } = await navigator.serviceWorker.register(pushWorkerPath);
  // Until the worker is active, some browsers refuse to subscribe.
  await navigator.serviceWorker.ready;
  let subscription = await pushManager.getSubscription();
  if (subscription && keyOf(subscription) !== pushKey) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: pushKey })
    .catch((error: unknown) => {
      throw new Error(serviceFailed, { cause: error });
    });
  await rpc.push.subscribe(toStored(subscription));
}

async function deviceState({ signal }: { signal: AbortSignal }): Promise<DeviceState> {
  const subscription = await ownSubscription();
  // A subscription with a former key of the server receives nothing.
  const isCurrent = subscription !== null && keyOf(subscription) === configuration().pushKey;
  const input = { endpoint: isCurrent ? subscription.endpoint : null };
  const { subscribed, switches } = await rpc.push.settings(input, { signal });
  if (!isSupported()) return { device: "unsupported", switches };
  if (Notification.permission === "denied") return { device: "denied", switches };
  return { device: subscribed ? "on" : "off", switches };
}
type Switches = Awaited<ReturnType<typeof rpc.push.settings>>["switches"];
type DeviceState = { device: Device; switches: Switches };

/** Whether this device is notified, and the kinds of notifications that the viewer wants on their devices. */
export const pushQuery = queryOptions({
  queryKey: [...api.push.settings.key(), "device"],
  queryFn: deviceState,
});
export const refetchPush = (): Promise<void> => queryClient.invalidateQueries({ queryKey: api.push.key() });

/** Asks for permission, subscribes this device, and switches on the given kind, which may have been off. */
export async function turnOnPush(viewerId: string, kind?: NotificationKind): Promise<"on" | "denied"> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  await subscribeBrowser();
  storePushSubscriber(viewerId);
  if (kind) await rpc.push.setSwitch({ kind, on: true });
  return "on";
}

/** Drops the browser's subscription when its owner leaves. */
export async function dropPush(): Promise<void> {
  storePushSubscriber(null);
  await (await ownSubscription())?.unsubscribe();
}

/** Ends this device's subscription. */
export async function turnOffPush(): Promise<void> {
  const subscription = await ownSubscription();
  if (subscription) await rpc.push.unsubscribe({ endpoint: subscription.endpoint });
  await dropPush();
}

/**
 * Keeps the browser subscribed for the person who asked for it: after another login, a change of the server's key, or
 * when the push service has dropped it. Ends the subscription of another person.
 */
export async function keepPush(viewerId: string): Promise<void> {
  if (!isSupported()) return;
  if (pushSubscriberId() !== viewerId || Notification.permission !== "granted") return await dropPush();
  // A query is cancelled when the person logs out. An answer from before the login says nothing about this session.
  const { device } = await queryClient.fetchQuery({ ...pushQuery, staleTime: 0 });
  if (device !== "on") await subscribeBrowser();
}
