import { failing, lintChecks, routeTypes } from "./checks.ts";

const failed = [...(await failing([routeTypes])), ...(await failing(lintChecks))];
process.exitCode = failed.length === 0 ? 0 : 1;
