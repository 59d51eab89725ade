import { accountScreens } from "./screens/accounts.ts";
import { agentScreens } from "./screens/agents.ts";
import { apiKeyScreens } from "./screens/api-keys.ts";
import { frameScreens } from "./screens/frame.ts";
import { marketScreens } from "./screens/market.ts";
import { publicScreens } from "./screens/public.ts";
import type { Screen } from "./screens/screen.ts";
import { securityScreens } from "./screens/security.ts";
import { studentScreens } from "./screens/students.ts";
import { webhookScreens } from "./screens/webhooks.ts";

/**
 * Every screen in every state, for everyone who sees it: route × state × role. Accessibility is checked on these
 * (tests/e2e/screens.e2e.ts), and `npm run screenshots` shows them. A missing route fails tests/screens.test.ts.
 */
export const screens: readonly Screen[] = [
  ...publicScreens,
  ...accountScreens,
  ...marketScreens,
  ...studentScreens,
  ...securityScreens,
  ...frameScreens,
  ...agentScreens,
  ...apiKeyScreens,
  ...webhookScreens,
];
