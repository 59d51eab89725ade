import type { ContractRouterClient } from "@orpc/contract";
import type { contract } from "./index.ts";

/**
 * The server as loaders see it: the contract's procedures, called as a visitor, because HTML is the same for everyone.
 */
export type OnServer = {
  rpc: ContractRouterClient<typeof contract>;
  /** The nonce of the page's inline scripts. */
  nonce: string;
  /** The id of the request that this page is rendered for: only an error page may show it. */
  requestId: string;
  /** Writes to the server's log. */
  report: (error: unknown) => void;
};
