import { pageMeta } from "../lib/page-meta.ts";
import { CrashScreen } from "./crash.tsx";

export const meta = () => pageMeta("Something went wrong");

/** Built ahead of time for the server, which sends it in place of a page that it could not make. */
export default function ServerError() {
  return <CrashScreen />;
}
