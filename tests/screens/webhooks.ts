import type { Page } from "@playwright/test";
import {
  answered,
  dialog,
  failAt,
  failing,
  headed,
  press,
  type Screen,
  statesOf,
  waiting,
} from "./screen.ts";

const webhookId = "7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6c01";
const oneWebhook = {
  id: webhookId,
  url: "https://hooks.north-star.example/wayfare",
  events: ["student.assigned", "document.uploaded", "application.moved", "auction.outbid"],
  state: "active",
  stopped: null,
  createdAt: new Date("2026-11-20T09:00:00.000Z"),
  formerSecretUntil: new Date("2026-11-23T09:00:00.000Z"),
};
const long = "featherstonehaugh-cholmondeley-and-partners-international";
const otherWebhooks = [
  {
    ...oneWebhook,
    id: `${webhookId.slice(0, -1)}2`,
    url: `https://${long}.example/a-rather-long-path-for-webhooks/of-the-agency?key=${"0123456789".repeat(6)}`,
    state: "stopped",
    stopped: { because: "failing", at: new Date("2026-11-21T18:30:00.000Z") },
    formerSecretUntil: null,
  },
  {
    ...oneWebhook,
    id: `${webhookId.slice(0, -1)}3`,
    url: "https://crm.north-star.example/",
    state: "paused",
    formerSecretUntil: null,
  },
];
const webhookEvents = [...oneWebhook.events, "auction.won", "webhook.stopped"];
const webhooksAnswer = answered("/rpc/webhooks/mine", {
  webhooks: [oneWebhook, ...otherWebhooks],
  events: webhookEvents,
});
const delivery = (number: number, type: string, changes: object) => ({
  id: `7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6d0${number}`,
  type,
  createdAt: new Date(`2026-11-22T1${number}:20:00.000Z`),
  state: "delivered",
  attempts: 1,
  attemptedAt: null,
  status: 204,
  problem: null,
  ...changes,
});
const someDeliveries = [
  delivery(5, "webhook.test", { state: "waiting", attempts: 0, status: null }),
  delivery(4, "application.moved", {}),
  delivery(3, "document.uploaded", { state: "failed", attempts: 14, status: 503 }),
  delivery(2, "student.assigned", {
    state: "cancelled",
    attempts: 2,
    status: null,
    problem: "certificate",
  }),
];
const deliveriesAnswer = answered("/rpc/webhooks/deliveries", { deliveries: someDeliveries });
async function addOne(page: Page): Promise<void> {
  await press(page, "Add a webhook");
  await page.getByLabel("URL of your server").fill("https://hooks.north-star.example/");
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
}
const withWebhooks = { before: webhooksAnswer };

export const webhookScreens: readonly Screen[] = [
  ...statesOf("/webhooks", "agent", {
    full: {
      ...withWebhooks,
      shows: (page) => page.getByRole("heading", { name: oneWebhook.url, level: 2 }),
    },
    empty: { shows: (page) => page.getByRole("heading", { name: "No webhooks yet" }) },
    loading: waiting("/rpc/webhooks/mine", "Loading webhooks"),
    failing: failing("/rpc/webhooks/mine"),
    "add dialog": { open: (page) => press(page, "Add a webhook"), ...dialog("Add a webhook") },
    "add failing": {
      before: failAt("/rpc/webhooks/add"),
      open: addOne,
      complains: "refusals",
      ...dialog("Webhook not added"),
    },
    "edit dialog": {
      ...withWebhooks,
      open: (page) => press(page, "Edit"),
      ...dialog("Edit webhook"),
    },
    secret: {
      before: answered("/rpc/webhooks/add", { id: webhookId, secret: `whsec_${"Abc1".repeat(11)}=` }),
      open: addOne,
      ...dialog("Your signing secret"),
    },
    deliveries: {
      before: async (page) => {
        await webhooksAnswer(page);
        await deliveriesAnswer(page);
      },
      open: (page) => press(page, "Show deliveries"),
      shows: (page) => page.getByRole("table"),
    },
    "deliveries failing": {
      before: async (page) => {
        await webhooksAnswer(page);
        await failAt("/rpc/webhooks/deliveries")(page);
      },
      open: (page) => press(page, "Show deliveries"),
      shows: (page) => page.getByRole("main").getByRole("button", { name: "Retry" }),
      complains: "refusals",
    },
    "replace dialog": {
      ...withWebhooks,
      open: (page) => press(page, "Replace secret"),
      ...dialog("Replace the secret?"),
    },
    "remove dialog": {
      ...withWebhooks,
      open: (page) => press(page, "Remove"),
      ...dialog("Remove webhook?"),
    },
  }),
  ...statesOf("/webhooks", "admin", { empty: headed("Webhooks") }),
];
