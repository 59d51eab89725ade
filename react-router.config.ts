import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "web",
  ssr: true,
  // The whole map of URLs comes with a page: a link leads on without asking the server where to.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
