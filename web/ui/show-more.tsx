import { Button } from "./button.tsx";

type ShowMoreProps = {
  /** The list's infinite query. */
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label?: string;
  apart?: boolean;
};

/** Asks for the next page, as long as there is one. */
export const ShowMore = ({
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
  label = "Show more",
  apart = true,
}: ShowMoreProps) =>
  hasNextPage && (
    <Button
      variant="default"
      apart={apart}
      disabled={isFetchingNextPage}
      onClick={() => void fetchNextPage()}
    >
      {isFetchingNextPage ? "Loading..." : label}
    </Button>
  );
