import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../tools/on-demand/", import.meta.url));

/** Returns the time of a file's last change in milliseconds since 1970, or 0 if it is missing. */
const changedAt = (file: string) => statSync(folder + file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Returns the path of a file of the packages in tools/on-demand/, which are installed if missing or outdated. */
export function tool(file: string): string {
  if (changedAt("node_modules/.package-lock.json") < changedAt("package-lock.json"))
    execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: folder, stdio: "inherit" });
  return `${folder}node_modules/${file}`;
}
