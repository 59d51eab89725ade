const firstPage: string | undefined = undefined;

/** TanStack Query options for reading a list page by page. */
export const paged = {
  initialPageParam: firstPage,
  getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
};
