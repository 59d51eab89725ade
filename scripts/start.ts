import { existsSync } from "node:fs";
import { buildPages } from "./build.ts";

// A variable that is set already wins over .env.
if (existsSync(".env")) process.loadEnvFile(".env");
buildPages();
await import("#server/main.ts");
