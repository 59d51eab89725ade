import { existsSync } from "node:fs";
import { buildPages } from "./build.ts";

// What stands in .env counts unless the variable is set already.
if (existsSync(".env")) process.loadEnvFile(".env");
buildPages();
await import("#server/main.ts");
