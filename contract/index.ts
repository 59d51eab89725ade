import { account } from "./account.ts";
import { agents } from "./agents.ts";

/** Everything a browser can ask of the server: a POST to /rpc/{feature}/{procedure}. */
export const contract = { account, agents };
