import { createContext } from "react-router";
import type { OnServer } from "#contract/on-server.ts";

/** Gives loaders the server. */
export const onServer = createContext<OnServer>();
