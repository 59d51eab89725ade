import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProductState } from "#contract/auctions.ts";
import type { SaleView, SecondChanceOffer } from "#contract/sale-views.ts";
import { formatMoney } from "#domain/money.ts";
import { recordText } from "#domain/sale-record.ts";
import type { OfferHours } from "#domain/second-chance.ts";
import { announce } from "../../../lib/announce.ts";
import { formatMoment } from "../../../lib/format-date.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { useViewer } from "../../../lib/viewer.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { Field, Select } from "../../../ui/form/fields.tsx";
import { StateBadge } from "../../../ui/state-badge.tsx";
import { Offer } from "./own-sales.tsx";
import classes from "./sale.module.css";
import { refreshSales, SaleActs } from "./sale-acts.tsx";
import { saleBadges, saleWords } from "./sale-words.ts";

/** The handover of a sold product, for its seller and its buyer, and the viewer's offer of it, if any. */
export default function ProductSale({ product: { id, version } }: { product: ProductState }) {
  const viewer = useViewer();
  const options = api.sales.ofProduct.queryOptions({ input: { productId: id } });
  const { data } = useQuery({ ...options, queryKey: [...options.queryKey, viewer?.id, version] });
  if (!data) return null;
  const { sale, secondChances, offer } = data;
  return (
    <>
      {offer && (
        <ul className={classes.cards} aria-label="Second chance">
          <Offer offer={offer} />
        </ul>
      )}
      {sale && <Handover productId={id} sale={sale} secondChances={secondChances} />}
    </>
  );
}

type HandoverProps = { productId: string; sale: SaleView; secondChances: SecondChanceOffer | null };

function Handover({ productId, sale, secondChances }: HandoverProps) {
  return (
    <section className={classes.sale} aria-labelledby="handover">
      <div className={classes.head}>
        <h2 id="handover" className={classes.title}>
          Handover
        </h2>
        <StateBadge tone={saleBadges[sale.state].tone}>{saleBadges[sale.state].label}</StateBadge>
      </div>
      <SaleStanding sale={sale} />
      <SaleActs sale={sale} />
      {secondChances && <SecondChances productId={productId} chances={secondChances} />}
    </section>
  );
}

/** Says what both parties say, and what happens if they say nothing more. */
function SaleStanding({ sale }: { sale: SaleView }) {
  const { state, wait } = saleWords(sale, formatMoment);
  const record = sale.other && recordText(sale.other.record);
  return (
    <>
      <p className={classes.words}>{state}</p>
      {wait !== null && <p className={classes.small}>{wait}</p>}
      {sale.reason !== "" && <p className={classes.small}>An administrator decided: {sale.reason}</p>}
      {record && (
        <p className={classes.small}>
          {sale.other?.name}: {record}
        </p>
      )}
    </>
  );
}

const hours = [
  { value: "24", label: "24 hours" },
  { value: "72", label: "3 days" },
];

/** Lets the seller offer a product to the next bidder, after its sale fell through. */
function SecondChances({ productId, chances }: { productId: string; chances: SecondChanceOffer }) {
  const [time, setTime] = useState<OfferHours>(24);
  const { open, next, why } = chances;
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (): Promise<string> => {
      if (open) {
        await rpc.sales.withdrawOffer({ offerId: open.id });
        return "The offer was withdrawn.";
      }
      if (next) await rpc.sales.offer({ productId, hours: time, amount: next.amount });
      return "The offer was made.";
    },
    onSuccess: announce,
    onSettled: refreshSales,
  });
  return (
    <>
      {open && (
        <p className={classes.words}>
          Offered to {open.name} for {formatMoney(open.amount)} until {formatMoment(open.until)}.
        </p>
      )}
      {next && (
        <p className={classes.words}>
          {next.name} is next, for {formatMoney(next.amount)}: what it would have cost without those who are
          gone.
        </p>
      )}
      {why !== "" && <p className={classes.small}>{why}</p>}
      <div className={classes.offer}>
        {next && (
          <>
            <Field label="The offer runs for">
              {(control) => (
                <Select
                  {...control}
                  data={hours}
                  value={String(time)}
                  onChange={({ currentTarget }) => setTime(currentTarget.value === "72" ? 72 : 24)}
                />
              )}
            </Field>
            <Button size="md" disabled={isPending} onClick={() => mutate()}>
              Offer it
            </Button>
          </>
        )}
        {open && (
          <Button variant="default" disabled={isPending} onClick={() => mutate()}>
            Withdraw the offer
          </Button>
        )}
      </div>
      <ErrorModal title="Offer Error" error={error} onClose={reset} />
    </>
  );
}
