import { Button } from "./button.tsx";

type ShowMoreProps = {
  /** The list's infinite query. */
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label?: string;
  spaced?: boolean;
};

/** A button that loads the next page, as long as there is one. */
export const ShowMore = ({
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
  label = "Show more",
  spaced = true,
}: ShowMoreProps) =>
  hasNextPage && (
    <Button
      variant="default"
      spaced={spaced}
      disabled={isFetchingNextPage}
      onClick={() => void fetchNextPage()}
    >
      {isFetchingNextPage ? "Loading..." : label}
    </Button>
  );
