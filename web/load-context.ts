import type { ContractRouterClient } from "@orpc/contract";
import { createContext } from "react-router";
import type { ApiReference } from "#contract/api-reference.ts";
import type { ProductState } from "#contract/auctions.ts";
import type { contract } from "#contract/index.ts";

/**
 * The server as loaders see it: the contract's procedures, called as a visitor, because HTML is the same for everyone.
 */
export type OnServer = {
  rpc: ContractRouterClient<typeof contract>;
  /** Returns the answer of GET /auctions/products/{id}; null for a missing product. */
  product: (id: string) => Promise<ProductState | null>;
  /** Returns the API reference, from the OpenAPI document. */
  apiReference: () => Promise<ApiReference>;
  /** The nonce of the page's inline scripts. */
  nonce: string;
  /** The id of the request that this page is rendered for: only an error page may show it. */
  requestId: string;
  /** Writes to the server's log. */
  report: (error: unknown) => void;
};
export const onServer = createContext<OnServer>();
