import { auctionRules } from "#domain/auction.ts";
import { configuration } from "../../lib/configuration.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./auction-rules.module.css";
import { endings, limits, type Step } from "./rule-examples.ts";

const title = "Auction rules";
const lead = "How bids, limits and endings work here, with the sums worked out.";

export const meta = () => publicMeta("/auction-rules", title, lead);

export default function AuctionRules() {
  return (
    <Page title={title} lead={lead}>
      <div className={classes.rules}>
        <h2>Two ways to bid</h2>
        <p>
          <strong>Bid</strong> bids exactly the amount that you type. <strong>Bid for me up to</strong> bids
          as little as it takes to lead, and answers other bidders for you until your limit is reached. Both
          are binding. The least that anyone can bid is the starting bid, and then R1 above the price.
        </p>
        <p>
          Nobody else sees your limit: not the seller, not us on any screen, and not after the end. A limit
          that somebody has gone beyond is an ordinary bid, and stands in the history as one. While you lead
          you can raise your limit, or lower it to the price, which stops it.
        </p>
        <Example caption="Limits" heads={["What happens", "Price", "Leads"]} steps={limits} />
        <p>
          Rows that we bid for somebody are marked “automatic”. One bid leads to two rows at most. The price
          never falls while bids stand.
        </p>

        <h2>The end</h2>
        <p>
          The seller chooses whether late bids extend the auction; the item's page says so. If they do, a bid
          in the last two minutes by somebody who isn't leading moves the end to two minutes after it, at most
          an hour beyond the planned end. Bids that were refused and the leader's own raises extend nothing.
          The time is our server's, whatever your device's clock says.
        </p>
        <Example caption="A late bid" heads={["What happens", "Price", "End"]} steps={endings} />
        <p>
          One thing moves the end of any auction: if the leader's bids are withdrawn or voided in the last 12
          hours, it ends 12 hours from then, so that the others have time to answer. That happens once at
          most. Where late bids extend the auction, the hour then counts from this new end.
        </p>
        <p>
          The highest bidder buys the item at the price. Buyer and seller then see how to reach each other.
          Wayfare takes no money and never asks for any.
        </p>

        <h2>When somebody lets you down</h2>
        <p>
          After the end, buyer and seller both say here when the item was handed over. From 72 hours to 30
          days after the sale either can report that something is wrong, and the other one has 48 hours to
          answer. If there is no answer, or a day that was promised passes, the sale falls through, and
          whoever is at fault gets a <strong>strike</strong>. So does somebody whose report isn't true.
        </p>
        <p>
          A strike counts for a year, and nobody but you and our administrators sees it. With three at once
          you can't bid or sell for 90 days, while your bids and sales stand.
        </p>
        <p>
          If a sale falls through because of its buyer, the seller may give the next bidder a{" "}
          <strong>second chance</strong>: one at a time, at most three people, for 24 hours or 3 days. The
          price is what the item would have cost without those who are gone, and never more than your own
          highest bid. Buying it binds you like a winning bid. Declining, or not answering, costs nothing.
        </p>

        <h2>Withdrawing a bid</h2>
        <p>
          {configuration().bidWithdrawal === "law"
            ? "You can withdraw your bids on an item until its end. If you lead in the last 12 hours, the end moves, once, to 12 hours from then."
            : "Only an obvious slip can be withdrawn: within an hour, more than 12 hours before the end, if it was at least five times the price at that moment. You say what you meant, and that is bid at once if it is still enough."}{" "}
          None of your bids on the item counts any more, the price is worked out again from the others' bids,
          and everyone who bid is told. After three withdrawals within 6 months you can't withdraw any for a
          year.
        </p>

        <h2>Bids that don't count</h2>
        <p>
          An administrator can void somebody's bids on an item, also because its seller asks for it. That
          works like a withdrawal, and the reason stands in the history for everyone.
        </p>
        <p>
          If we close somebody's account, their bids are crossed out and marked “doesn't count”. The price
          stays, and the item goes to the highest bidder whose bids count, at their own bid. If the account is
          opened again before the end, its bids count again.
        </p>

        <h2>The history</h2>
        <p>
          Each row of an item's history is sealed with everything before it, so that none can be changed,
          added or taken out later without it showing. “Check this history” below the bids recomputes all of
          it in your browser, and a receipt that you saved proves your own bid.
        </p>
        <p className={classes.version}>
          These are version {auctionRules} of the rules. An item goes by the version that it was listed under;
          items of version 1 end at their planned end. What grades mean is in the{" "}
          <TextLink to="/grading-guide">grading guide</TextLink>.
        </p>
        <LinkButton to="/auctions">See open auctions</LinkButton>
      </div>
    </Page>
  );
}

type ExampleProps = { caption: string; heads: readonly [string, string, string]; steps: readonly Step[] };

function Example({ caption, heads, steps }: ExampleProps) {
  return (
    <table className={classes.table}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {steps.map(({ act, price, result }) => (
          <tr key={act}>
            <td>{act}</td>
            <td className={classes.figure}>{price}</td>
            <td className={classes.figure}>{result}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
