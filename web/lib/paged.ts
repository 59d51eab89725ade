const firstPage: string | undefined = undefined;

/** How TanStack Query asks for one page of a list after the other. */
export const paged = {
  initialPageParam: firstPage,
  getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
};
