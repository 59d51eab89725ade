import { IconCalendarPlus, IconShare } from "@tabler/icons-react";
import { useLocation } from "react-router";
import type { ProductState } from "#contract/auctions.ts";
import { endFilePath, productPath } from "#protocol/addresses.ts";
import { configuration } from "../../../lib/configuration.ts";
import { copy } from "../../../lib/copy.ts";
import { useIsMember } from "../../../lib/viewer.ts";
import { useHasEnded } from "../../../lib/watch-time.ts";
import { Button, buttonProps, LinkButton } from "../../../ui/button.tsx";
import { loginPath } from "../login-path.ts";
import { useMarks } from "../watching/marks.ts";
import { WatchButton } from "../watching/star.tsx";
import classes from "./actions.module.css";

/** The buttons for everything besides bidding: watching an item, adding its end to a calendar, sharing it. */
export function Actions({ product }: { product: ProductState }) {
  const { id, productName, state, endDate } = product;
  const hasEnded = useHasEnded(endDate);
  const isOpen = state === "open" && !hasEnded;
  return (
    <div className={classes.actions}>
      <Watching product={product} isOpen={isOpen} />
      {isOpen && (
        <a href={endFilePath(id)} {...buttonProps({ variant: "default" })}>
          <IconCalendarPlus size={18} stroke={1.6} aria-hidden />
          Add end to calendar
        </a>
      )}
      <Button variant="default" onClick={() => void share(productName, id)}>
        <IconShare size={18} stroke={1.6} aria-hidden />
        Share
      </Button>
    </div>
  );
}

/** Opens the device's share sheet, or copies the link if there is none. */
async function share(title: string, productId: string): Promise<void> {
  const url = configuration().baseUrl + productPath(productId);
  if (typeof navigator.share !== "function") return await copy(url);
  // Closing the sheet rejects the promise, but is not an error.
  await navigator.share({ title, url }).catch(() => {});
}

function Watching({ product, isOpen }: { product: ProductState; isOpen: boolean }) {
  const { id, productName } = product;
  const isMember = useIsMember();
  const mark = useMarks([id]).get(id);
  const { pathname } = useLocation();
  if (!isMember)
    return isOpen ? (
      <LinkButton size="sm" to={loginPath(pathname)}>
        Log in to watch
      </LinkButton>
    ) : null;
  if (!mark) return null;
  if (mark.isSeller)
    return isOpen ? <p className={classes.watchers}>{watchersText(mark.watchers ?? 0)}</p> : null;
  return isOpen || mark.isWatching ? (
    <WatchButton productId={id} productName={productName} isWatching={mark.isWatching} />
  ) : null;
}

function watchersText(watchers: number): string {
  if (watchers === 0) return "Nobody is watching it yet.";
  return watchers === 1 ? "1 person is watching it." : `${watchers} people are watching it.`;
}
