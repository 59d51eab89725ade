import { type RefObject, useEffect, useState } from "react";
import { useLocation } from "react-router";
import type { ProductState } from "#contract/auctions.ts";
import { mostBid } from "#domain/bid.ts";
import { formatMoney } from "#domain/money.ts";
import { timeLeftText, urgencyOf } from "#domain/time-left.ts";
import { useVisit } from "../../../lib/viewer.ts";
import { useHasEnded, useServerNow } from "../../../lib/watch-time.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { loginPath } from "../login-path.ts";
import classes from "./bid-bar.module.css";

type BidBarProps = { product: ProductState; form: RefObject<HTMLElement | null> };

/** The price, the time left and a link to the bid form, while the form is out of sight. */
export default function BidBar({ product, form }: BidBarProps) {
  const { endDate, state, price } = product;
  const hasEnded = useHasEnded(endDate);
  const isOpen = state === "open" && !hasEnded && product.leastBid <= mostBid(null);
  const isNeeded = useOutOfSight(form, isOpen) && isOpen;
  if (!isNeeded) return null;
  return (
    <aside aria-label="Price and time left" className={classes.bar}>
      <div className={classes.inner}>
        <p className={classes.figures}>
          <strong>{formatMoney(price)}</strong>
          <TimeLeft endDate={endDate} />
        </p>
        <ToBid form={form} />
      </div>
    </aside>
  );
}

function TimeLeft({ endDate }: { endDate: number }) {
  const milliseconds = endDate - useServerNow(1_000, endDate);
  return (
    <span className={classes.time} data-urgency={urgencyOf(milliseconds)}>
      {timeLeftText(milliseconds)} left
    </span>
  );
}

function ToBid({ form }: Pick<BidBarProps, "form">) {
  const visit = useVisit();
  const { pathname } = useLocation();
  if (visit.state === "known" && !visit.viewer)
    return (
      <LinkButton primary to={loginPath(pathname)}>
        Bid
      </LinkButton>
    );
  function show() {
    form.current?.scrollIntoView({ block: "center" });
    form.current?.querySelector<HTMLElement>('[name="amount"]')?.focus({ preventScroll: true });
  }
  return (
    <Button size="md" onClick={show}>
      Bid
    </Button>
  );
}

/** Excludes the strip that the menu covers. */
const visibility = { rootMargin: "-64px 0px 0px 0px", threshold: 0.95 };

/** Whether an element isn't fully visible; false until that is known. `isMounted`: whether it is mounted at all. */
function useOutOfSight(element: RefObject<HTMLElement | null>, isMounted: boolean): boolean {
  const [isOut, setOut] = useState(false);
  useEffect(() => {
    if (!isMounted || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => setOut(!entries.at(-1)?.isIntersecting),
      visibility,
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isMounted]);
  return isOut;
}
