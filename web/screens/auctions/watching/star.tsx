import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { Button, IconButton } from "../../../ui/button.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { useWatching } from "./marks.ts";

type StarProps = {
  productId: string;
  productName: string;
  isWatching: boolean;
  className?: string | undefined;
};

const title = "Watching";

/** The star on a card, which starts or stops watching an item. */
export function Star({ productId, productName, isWatching, className }: StarProps) {
  const { mutate, error, reset } = useWatching();
  const Icon = isWatching ? IconStarFilled : IconStar;
  return (
    <>
      <IconButton
        label={`Watch ${productName}`}
        aria-pressed={isWatching}
        className={className}
        onClick={() => mutate({ productId, productName, watch: !isWatching })}
      >
        <Icon size={20} stroke={1.6} aria-hidden />
      </IconButton>
      <ErrorModal title={title} error={error} onClose={reset} />
    </>
  );
}

/** The star with a text, on the item's page. */
export function WatchButton({ productId, productName, isWatching }: Omit<StarProps, "className">) {
  const { mutate, error, reset } = useWatching();
  const Icon = isWatching ? IconStarFilled : IconStar;
  return (
    <>
      <Button
        variant="default"
        aria-pressed={isWatching}
        onClick={() => mutate({ productId, productName, watch: !isWatching })}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
        {isWatching ? "Watching" : "Watch"}
      </Button>
      <ErrorModal title={title} error={error} onClose={reset} />
    </>
  );
}
