import { accountScreens } from "./screens/accounts.ts";
import { agentScreens } from "./screens/agents.ts";
import { apiKeyScreens } from "./screens/api-keys.ts";
import { frameScreens } from "./screens/frame.ts";
import { marketScreens } from "./screens/market.ts";
import { publicScreens } from "./screens/public.ts";
import type { Screen } from "./screens/screen.ts";
import { securityScreens } from "./screens/security.ts";
import { studentScreens } from "./screens/students.ts";

/**
 * Every screen in every state, for everyone who sees it: route × state × role. It is what accessibility is checked on
 * (tests/e2e/screens.e2e.ts) and what `npm run screenshots` shows. A route that is missing fails tests/screens.test.ts.
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
];
