import { createContext, type ReactNode, useContext } from "react";
import { auctionTexts } from "#domain/auction.ts";
import { timeLeftText, urgencyOf } from "#domain/time-left.ts";
import { useServerNow } from "../../../lib/use-server-now.ts";
import classes from "./product-card.module.css";

/** Milliseconds since 1970 by the server's clock. */
const Now = createContext(0);
const second = 1_000;

/** One clock for a whole list: it ticks until the last auction has ended, and only what shows time is rendered again. */
export function ListClock({ end, children }: { end: number; children: ReactNode }) {
  const now = useServerNow(second, end);
  return <Now value={now}>{children}</Now>;
}

/** The time left of one product in the list. */
export function TimeLeft({ endDate }: { endDate: number }) {
  const milliseconds = endDate - useContext(Now);
  const left = timeLeftText(milliseconds);
  if (left === null) return <span className={classes.ended}>{auctionTexts.ended}</span>;
  return (
    <span className={classes.time} data-urgency={urgencyOf(milliseconds)}>
      {left} left
    </span>
  );
}
