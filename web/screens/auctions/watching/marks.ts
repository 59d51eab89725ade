import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import type { ProductMark } from "#contract/watching.ts";
import { announce } from "../../../lib/announce.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { useViewer } from "../../../lib/viewer.ts";

/** Returns the viewer's relation to these products, by id; empty for visitors and until it is loaded. */
export function useMarks(productIds: readonly string[]): ReadonlyMap<string, ProductMark> {
  const viewer = useViewer();
  const options = api.watching.marks.queryOptions({ input: { productIds: [...productIds] } });
  const { data } = useQuery({
    ...options,
    queryKey: [...options.queryKey, viewer?.id],
    enabled: viewer !== null && productIds.length > 0,
    placeholderData: keepPreviousData,
  });
  return new Map(viewer ? data?.marks.map((mark) => [mark.productId, mark]) : []);
}

type Marks = { marks: ProductMark[] };

function noteWatching(productId: string, isWatching: boolean): void {
  queryClient.setQueriesData<Marks>(
    { queryKey: api.watching.marks.key() },
    (before) =>
      before && {
        marks: before.marks.map((mark) => (mark.productId === productId ? { ...mark, isWatching } : mark)),
      },
  );
}

type Change = { productId: string; productName: string; watch: boolean };

/** Starts or stops watching an item. The star changes immediately, and back if the call fails. */
export const useWatching = () =>
  useMutation({
    mutationFn: ({ productId, watch }: Change) =>
      watch ? rpc.watching.watch({ productId }) : rpc.watching.unwatch({ productId }),
    onMutate: ({ productId, watch }) => noteWatching(productId, watch),
    onSuccess: (_, { productName, watch }) =>
      announce(watch ? `You're watching ${productName}.` : `You've stopped watching ${productName}.`),
    onError: (_, { productId, watch }) => noteWatching(productId, !watch),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.watching.items.key() }),
  });
