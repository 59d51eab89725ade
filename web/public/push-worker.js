// Shows notifications that Wayfare pushes while its pages are closed. It caches nothing and answers no request of a
// page.

const icon = "/icon-192.png";
const unreadable = { title: "You have news on Wayfare", path: "/notifications", tag: "news" };

/**
 * Reads a message. Browsers want every push to show something, so one that can't be read leads to all notifications.
 */
function read(data) {
  try {
    const { title, path, tag } = data.json();
    return [title, path, tag].every((text) => typeof text === "string" && text !== "")
      ? { title, path, tag }
      : unreadable;
  } catch {
    return unreadable;
  }
}

/** Shows the page that a notification leads to: in a tab that is there already, or in a new one. */
async function openPage(path) {
  const { origin } = self.location;
  const url = new URL(path, origin);
  if (url.origin !== origin) return;
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find((each) => new URL(each.url).pathname === url.pathname);
  if (tab) await tab.focus();
  else await self.clients.openWindow(url.href);
}

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Tells the server of a subscription that the browser has made anew. One that is nobody's any more ends. */
async function renew(former, current) {
  if (!former) return;
  const subscription = current ?? (await self.registration.pushManager.subscribe(former.options));
  const json = {
    former: former.endpoint,
    endpoint: subscription.endpoint,
    p256dh: base64url(subscription.getKey("p256dh")),
    auth: base64url(subscription.getKey("auth")),
    serverKey: base64url(subscription.options.applicationServerKey),
  };
  const response = await fetch("/rpc/push/renew", {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": "orpc" },
    body: JSON.stringify({ json }),
  });
  const answer = response.ok ? await response.json() : null;
  if (answer?.json?.renewed !== true) await subscription.unsubscribe();
}

self.addEventListener("push", (event) => {
  const { title, path, tag } = read(event.data);
  event.waitUntil(self.registration.showNotification(title, { tag, icon, data: { path } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event.oldSubscription, event.newSubscription));
});
