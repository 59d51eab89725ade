import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../tools/on-demand/", import.meta.url));

/** The time of a file's last change, in milliseconds since 1970; 0 when it is missing. */
const changed = (file: string) => statSync(folder + file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The path of a file of the packages in tools/on-demand/, which are installed if they are not there in their present versions. */
export function tool(file: string): string {
  if (changed("node_modules/.package-lock.json") < changed("package-lock.json"))
    execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: folder, stdio: "inherit" });
  return `${folder}node_modules/${file}`;
}
