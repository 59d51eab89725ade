import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { ProductState } from "#contract/auctions.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api } from "../../../lib/rpc.ts";
import { useViewer } from "../../../lib/viewer.ts";

/** The state is part of what is asked: the other's contact details come once the auction is closed. */
function standingQuery({ id, state }: Pick<ProductState, "id" | "state">, viewerId: string | undefined) {
  const asked = api.auctions.relation.queryOptions({ input: { productId: id } });
  return { ...asked, queryKey: [...asked.queryKey, state, viewerId] };
}

/**
 * What the server says of the viewer and this product; null for visitors and as long as it is not known. It is asked
 * again once the auction is closed, for the other's contact details, and by the seller for bidders not met before.
 */
export function useStanding(product: ProductState) {
  const viewer = useViewer();
  const { data } = useQuery({
    ...standingQuery(product, viewer?.id),
    enabled: viewer !== null,
    placeholderData: keepPreviousData,
  });
  const standing = viewer && data ? data : null;
  useNames(standing, product.bids);
  return standing;
}

type Named = { isSeller: boolean; names: Readonly<Record<string, string>> };

/** Asks once for each bidder whose name is not known yet: an account that is gone has none. */
function useNames(standing: Named | null, bids: ProductState["bids"]) {
  const askedFor = useRef(new Set<string>());
  const names = standing?.isSeller ? standing.names : null;
  useEffect(() => {
    if (!names) return;
    const unknown = bids
      .map(({ tag }) => tag)
      .filter((tag) => !Object.hasOwn(names, tag) && !askedFor.current.has(tag));
    if (unknown.length === 0) return;
    for (const tag of unknown) askedFor.current.add(tag);
    void queryClient.invalidateQueries({ queryKey: api.auctions.relation.key() });
  }, [names, bids]);
}

export type Standing = NonNullable<ReturnType<typeof useStanding>>;
