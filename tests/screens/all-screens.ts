import { accountScreens } from "./accounts.ts";
import { adminScreens } from "./admin-tools.ts";
import { agentScreens } from "./agents.ts";
import { apiKeyScreens } from "./api-keys.ts";
import { applicationScreens } from "./application.ts";
import { catalogueScreens } from "./catalogue.ts";
import { frameScreens } from "./frame.ts";
import { marketScreens } from "./market.ts";
import { messageScreens } from "./messages.ts";
import { peopleScreens } from "./people.ts";
import { plannerScreens } from "./planner.ts";
import { programmeScreens } from "./programmes.ts";
import { publicScreens } from "./public.ts";
import type { Screen } from "./screen.ts";
import { securityScreens } from "./security.ts";
import { studentScreens } from "./students.ts";
import { webhookScreens } from "./webhooks.ts";
import { workListScreens } from "./work-lists.ts";

/**
 * Every screen in every state, for everyone who sees it: route × state × role. tests/e2e/accessibility.e2e.ts checks
 * them, and `npm run screenshots` shows them. A missing route fails tests/screens/all-screens.test.ts.
 */
export const screens: readonly Screen[] = [
  ...publicScreens,
  ...programmeScreens,
  ...accountScreens,
  ...marketScreens,
  ...studentScreens,
  ...peopleScreens,
  ...securityScreens,
  ...frameScreens,
  ...agentScreens,
  ...workListScreens,
  ...plannerScreens,
  ...adminScreens,
  ...catalogueScreens,
  ...applicationScreens,
  ...apiKeyScreens,
  ...webhookScreens,
  ...messageScreens,
];
