import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "react-router";
import type { OfferView } from "#contract/sale-views.ts";
import { formatMoney } from "#domain/money.ts";
import { offerTexts } from "#domain/second-chance.ts";
import { barredText } from "#domain/strike.ts";
import { announce } from "../../../lib/announce.ts";
import { formatDate, formatMoment } from "../../../lib/format-date.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmModal } from "../../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TextLink } from "../../../ui/text-link.tsx";
import classes from "./sale.module.css";
import { refreshSales } from "./sale-acts.tsx";

/** Queries the viewer's purchases, offers and strikes. */
export const useOwnSales = () => useQuery(api.sales.mine.queryOptions({})).data;
type OwnSales = NonNullable<ReturnType<typeof useOwnSales>>;

/** The viewer's strikes that count, and the date until which they can't bid or sell. */
export function OwnStrikes({ strikes, barredUntil }: Pick<OwnSales, "strikes" | "barredUntil">) {
  const [now] = useState(serverNow);
  const currentStrikes = strikes.filter(({ liftedAt, until }) => liftedAt === null && until.getTime() > now);
  if (!barredUntil && currentStrikes.length === 0) return null;
  return (
    <div className={classes.strip}>
      {barredUntil && <Notice>{barredText(barredUntil)}</Notice>}
      {currentStrikes.length > 0 && (
        <Notice>
          {currentStrikes.length === 1
            ? "You have a strike, for a sale that fell through or a report that wasn't true: "
            : `You have ${currentStrikes.length} strikes, for sales that fell through or reports that weren't true: `}
          {currentStrikes
            .map(({ productName, until }) => `${productName} (until ${formatDate(until)})`)
            .join(", ")}
          .{!barredUntil && " With 3 at once you can't bid or sell for 90 days."}
        </Notice>
      )}
    </div>
  );
}

/** Second chances offered to the viewer, or a note if they followed a notification of one that is closed. */
export function OwnOffers({ offers }: Pick<OwnSales, "offers">) {
  const { hash } = useLocation();
  if (offers.length === 0)
    return hash === "#second-chances" ? (
      <div className={classes.strip}>
        <Notice>{offerTexts.noneOpen}</Notice>
      </div>
    ) : null;
  return (
    <section className={classes.strip} aria-labelledby="second-chances">
      <h2 id="second-chances" className={classes.title}>
        Second chances
      </h2>
      <ul className={classes.cards}>
        {offers.map((offer) => (
          <Offer key={offer.id} offer={offer} />
        ))}
      </ul>
    </section>
  );
}

/** An offer of a second chance, which its bidder accepts or declines. */
export function Offer({ offer: { id, productId, productName, amount, until } }: { offer: OfferView }) {
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (accept: boolean) => rpc.sales.answerOffer({ offerId: id, accept }),
    onSuccess: (_, accept) => announce(accept ? "It's yours." : "You declined the offer."),
    onSettled: refreshSales,
  });
  return (
    <li className={classes.card} aria-label={`Second chance: ${productName}`}>
      <p className={classes.words}>
        The first sale of <TextLink to={`/product/${productId}`}>{productName}</TextLink> fell through. You
        can buy it for <strong>{formatMoney(amount)}</strong>, until {formatMoment(until)}.
      </p>
      <p className={classes.small}>
        You pay the seller, as after any auction. Wayfare never asks for money. Declining costs nothing.
      </p>
      <div className={classes.acts}>
        <Button disabled={isPending} onClick={() => setAsked(true)}>
          Buy it
        </Button>
        <Button variant="default" disabled={isPending} onClick={() => mutate(false)}>
          Decline
        </Button>
      </div>
      <ConfirmModal
        question={
          isAsked
            ? {
                title: `Buy it for ${formatMoney(amount)}?`,
                text: `${productName}: this binds you like a winning bid.`,
                action: "Buy it",
                harmless: true,
              }
            : null
        }
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          mutate(true);
        }}
      />
      <ErrorModal title="Offer Error" error={error} onClose={reset} />
    </li>
  );
}

/** Whether the viewer gets second chances. */
export function SecondChanceChoice({ wantsSecondChances }: Pick<OwnSales, "wantsSecondChances">) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (isWanted: boolean) => rpc.sales.setSecondChances({ wanted: isWanted }),
    onSettled: refreshSales,
  });
  return (
    <>
      <label className={classes.choice}>
        <input
          type="checkbox"
          checked={wantsSecondChances}
          disabled={isPending}
          onChange={({ currentTarget }) => mutate(currentTarget.checked)}
        />
        Offer me an item after all if its sale falls through
      </label>
      <ErrorModal title="Error" error={error} onClose={reset} />
    </>
  );
}
