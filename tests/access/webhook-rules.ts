import type { ObjectRules } from "./object-access.ts";

/** The rules of the identifiers of webhooks. */
export const webhookRules: ObjectRules = {
  // A public IP address, so that nothing is resolved; nothing is sent there.
  "webhooks.change id": {
    of: "webhook",
    may: ["owner"],
    beside: async () => ({ url: "https://1.1.1.1/", events: ["auction.outbid"] }),
  },
  "webhooks.pause id": { of: "webhook", may: ["owner"] },
  "webhooks.resume id": { of: "webhook", may: ["owner"] },
  "webhooks.rotateSecret id": { of: "webhook", may: ["owner"] },
  "webhooks.remove id": { of: "webhook", may: ["owner"] },
  "webhooks.sendTest id": { of: "webhook", may: ["owner"] },
  "webhooks.deliveries id": { of: "webhook", may: ["owner"] },
  "webhooks.sendAgain id": { of: "webhookDelivery", may: ["owner"] },
};
