import type { ContractRouterClient } from "@orpc/contract";
import { createContext } from "react-router";
import type { ApiReference } from "#contract/api-reference.ts";
import type { ProductState } from "#contract/auctions.ts";
import type { contract } from "#contract/index.ts";

/** What a loader may ask of the server: the contract's procedures, as a visitor. HTML is the same for everyone. */
export type OnServer = {
  rpc: ContractRouterClient<typeof contract>;
  /** As GET /auctions/products/{id} answers it; null for what isn't there. */
  product: (id: string) => Promise<ProductState | null>;
  /** What programs can ask, from the OpenAPI document. */
  apiReference: () => Promise<ApiReference>;
  /** Of the page's inline scripts. */
  nonce: string;
  /** Of the request that has this page rendered: only an error page may show it. */
  requestId: string;
  /** Into the server's log. */
  report: (error: unknown) => void;
};
export const onServer = createContext<OnServer>();
