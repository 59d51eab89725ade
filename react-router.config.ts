import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "web",
  ssr: true,
  // The whole route map comes with a page, so a link never queries the server for its target.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
