import type { Page } from "@playwright/test";
import { answered, dialog, failing, press, type Screen, statesOf, waiting } from "./screen.ts";

const someKeys = answered("/rpc/apiKeys/list", {
  keys: [
    {
      id: "1",
      name: "Our CRM",
      start: "wf_k3F9xQ",
      scopes: ["applications:read", "applications:write", "students:read"],
      since: new Date("2026-10-03T09:00:00.000Z"),
      expires: null,
      expired: false,
      lastUsed: new Date("2026-11-20T17:45:00.000Z"),
    },
    {
      id: "2",
      name: "The spreadsheet that Kofi keeps for the consultancy's partners in Accra",
      start: "wf_7qZ2m0",
      scopes: ["auctions:read"],
      since: new Date("2026-09-04T09:00:00.000Z"),
      expires: new Date("2026-10-04T09:00:00.000Z"),
      expired: true,
      lastUsed: null,
    },
  ],
});
const createKey = (page: Page) => press(page, "Create key");

export const apiKeyScreens: readonly Screen[] = [
  ...statesOf("/api-keys", "agent", {
    full: { before: someKeys, shows: (page) => page.getByText("Our CRM") },
    empty: { shows: (page) => page.getByRole("heading", { name: "No API keys yet" }) },
    loading: waiting("/rpc/apiKeys/list", "Loading API keys"),
    failing: failing("/rpc/apiKeys/list"),
    "create dialog": { open: createKey, ...dialog("Create an API key") },
    "nothing chosen": {
      open: async (page) => {
        await createKey(page);
        await page.getByLabel("Name").fill("CRM");
        await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      },
      ...dialog("Not created"),
    },
    "new key": {
      before: answered("/rpc/apiKeys/create", {
        id: "1",
        key: "wf_k3F9xQ7qZ2m0Vh8tR5jwcR1n6dK3F9xQ7qZ2m0Vh8tR5",
      }),
      open: async (page) => {
        await createKey(page);
        await page.getByLabel("Name").fill("CRM");
        await page.getByLabel("Read Students", { exact: true }).check();
        await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      },
      ...dialog("Your API key"),
    },
    "revoke dialog": {
      before: someKeys,
      open: (page) => press(page, "Revoke Our CRM"),
      ...dialog("Revoke key"),
    },
  }),
  ...statesOf("/api-keys", "admin", {
    "create dialog": { open: createKey, ...dialog("Create an API key") },
  }),
];
