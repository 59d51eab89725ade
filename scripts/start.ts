import { existsSync } from "node:fs";
import { buildPages } from "./build.ts";

// A variable that is already set takes precedence over .env.
if (existsSync(".env")) process.loadEnvFile(".env");
buildPages();
await import("#server/main.ts");
