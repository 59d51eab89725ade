import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { StrikeView } from "#contract/sale-views.ts";
import { auctionLimits } from "#domain/auction.ts";
import { removalReasonProblem } from "#domain/auction-removal.ts";
import { announce } from "../../lib/announce.ts";
import { formatDate } from "../../lib/format-date.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./edit-account.module.css";

/** An account's strikes; nothing for an account without any. */
export function Strikes({ userId, name }: { userId: string; name: string }) {
  const { data } = useQuery(api.sales.strikes.queryOptions({ input: { userId } }));
  const [lifting, setLifting] = useState<StrikeView | null>(null);
  if (!data || data.strikes.length === 0) return null;
  return (
    <section className={classes.reset} aria-labelledby="strikes">
      <h3 id="strikes" className={classes.title}>
        Strikes
      </h3>
      {data.barredUntil && <p>They can't bid or sell until {formatDate(data.barredUntil)}.</p>}
      <ul>
        {data.strikes.map((strike) => (
          <li key={strike.id}>
            <TextLink to={`/product/${strike.productId}`}>{strike.productName}</TextLink>,{" "}
            {formatDate(strike.at)},{" "}
            {strike.liftedAt ? (
              `lifted: ${strike.reason}`
            ) : (
              <>
                counts until {formatDate(strike.until)}{" "}
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Lift the strike for ${strike.productName}`}
                  onClick={() => setLifting(strike)}
                >
                  Lift
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      <ReasonDialog
        opened={lifting !== null}
        title="Lift a strike"
        draft={`lift ${lifting?.id}`}
        maxLength={auctionLimits.reason}
        check={removalReasonProblem}
        send={async (reason) => {
          if (!lifting) return;
          await rpc.sales.liftStrike({ strikeId: lifting.id, reason });
          announce("The strike was lifted.");
          await queryClient.invalidateQueries({ queryKey: api.sales.strikes.key() });
        }}
        action={{ text: "Lift", busyText: "Lifting..." }}
        errorTitle="Not lifted"
        onClose={() => setLifting(null)}
      >
        {name} will read your reason.
      </ReasonDialog>
    </section>
  );
}
