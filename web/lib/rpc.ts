import { createORPCClient } from "@orpc/client";
import type { ContractRouterClient } from "@orpc/contract";
import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import type { contract } from "#contract/index.ts";
import { rpcLink } from "./rpc-link.ts";

/** Every call that the server answers, typed by the contract. */
export const rpc: ContractRouterClient<typeof contract> = createORPCClient(rpcLink);
/** The same as options for TanStack Query. */
export const api = createTanstackQueryUtils(rpc);
