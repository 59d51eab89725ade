import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Dispute, VoidRequest } from "#contract/sale-views.ts";
import { auctionLimits } from "#domain/auction.ts";
import { removalReasonProblem } from "#domain/auction-removal.ts";
import { formatMoney } from "#domain/money.ts";
import { type DisputeEnd, type DisputeFault, disputeEnds, disputeFaults } from "#domain/sale.ts";
import { claimTexts } from "#domain/sale-texts.ts";
import { announce } from "../../lib/announce.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { formatDate, formatMoment } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SelectField, TextAreaField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { Page } from "../../ui/page.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AdminNav } from "./admin-nav.tsx";
import table from "./data-table.module.css";
import classes from "./duplicates.module.css";
import { TableSkeleton } from "./paged-table.tsx";

export const meta = () => pageMeta("Disputes");

const disputesQuery = api.sales.disputes.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
});

const refresh = () => queryClient.invalidateQueries({ queryKey: api.sales.key() });

/** The sales about which seller and buyer disagree, and the bids that sellers ask to void. */
export default function Disputes() {
  const query = useInfiniteQuery(disputesQuery);
  const requests = useQuery(api.sales.voidRequests.queryOptions({}));
  const { data, error, refetch } = query;
  const disputes = data?.pages.flatMap((page) => page.disputes);
  const isEmpty = disputes?.length === 0 && requests.data?.requests.length === 0;
  return (
    <Page wide title="Disputes">
      <AdminNav />
      <p className={table.lead}>
        Wayfare sees no money: look at what both say, write to them, and decide. Seller and buyer read your
        reason. Whoever is at fault gets a strike.
      </p>
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <TableSkeleton label="Loading disputes" />}
      {isEmpty && (
        <EmptyState title="No disputes" text="Nobody waits for a decision about a sale or a bid." />
      )}
      {disputes && disputes.length > 0 && (
        <ul className={classes.groups} aria-label="Disputes">
          {disputes.map((dispute) => (
            <DisputeCard key={dispute.id} dispute={dispute} />
          ))}
        </ul>
      )}
      <ShowMore query={query} />
      {requests.data && requests.data.requests.length > 0 && (
        <>
          <h2 className={classes.further}>Requests to void bids</h2>
          <ul className={classes.groups} aria-label="Requests to void bids">
            {requests.data.requests.map((request) => (
              <RequestCard key={request.id} request={request} />
            ))}
          </ul>
        </>
      )}
    </Page>
  );
}

const endLabels: Record<DisputeEnd, string> = {
  handedOver: "It was handed over",
  fellThrough: "The sale falls through",
};

/** Returns the label of a fault, which names the person. */
function faultLabel(fault: DisputeFault, { report, seller, buyer }: Dispute): string {
  if (fault === "nobody") return "Nobody";
  const side = (fault === "reporter") === (report.by === "seller") ? "seller" : "buyer";
  const name = (side === "seller" ? seller : buyer)?.name ?? "former member";
  return fault === "reporter" ? `${name} (${side}), whose report is false` : `${name} (${side})`;
}

function Trader({ side, account }: { side: string; account: Dispute["seller"] }) {
  return (
    <li className={classes.member}>
      <div className={classes.hint}>{side}</div>
      {account ? (
        <TextLink to={`/admin/accounts?${new URLSearchParams({ search: account.id }).toString()}`}>
          {account.name}
        </TextLink>
      ) : (
        "Former member"
      )}
    </li>
  );
}

function DisputeCard({ dispute }: { dispute: Dispute }) {
  const [opened, setOpened] = useState(false);
  const { id, productId, productName, amount, madeAt, report, seller, buyer } = dispute;
  const close = () => setOpened(false);
  const titleId = `dispute-${id}`;
  return (
    <li ref={passFocusOn} className={classes.group} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        <TextLink to={`/product/${productId}`}>{productName}</TextLink>
        <span className={classes.hint}>
          {" "}
          sold for {formatMoney(amount)} on {formatDate(madeAt)}
        </span>
      </h2>
      <ul className={classes.members}>
        <Trader side="Seller" account={seller} />
        <Trader side="Buyer" account={buyer} />
      </ul>
      <div>
        The {report.by} says: {claimTexts[report.claim]} ({formatMoment(report.at)}). The{" "}
        {report.by === "seller" ? "buyer" : "seller"} says that this isn't true.
      </div>
      <div className={classes.actions}>
        <Button aria-describedby={titleId} onClick={() => setOpened(true)}>
          Decide
        </Button>
      </div>
      <Dialog opened={opened} onClose={close} title={`Decide about ${productName}`}>
        <p className={dialog.words}>Seller and buyer will read your reason.</p>
        <ModalForm
          errorTitle="Not decided"
          fields={["end", "fault", "reason"]}
          check={({ reason }) => removalReasonProblem(reason)}
          draftName={`decide ${id}`}
          send={async ({ end, fault, reason }) => {
            await rpc.sales.decide({
              saleId: id,
              end: disputeEnds.find((each) => each === end) ?? "fellThrough",
              fault: disputeFaults.find((each) => each === fault) ?? "nobody",
              reason,
            });
            announce("Decided. Both have been told.");
            await refresh();
          }}
          onDone={close}
          onCancel={close}
          action="Decide"
          busyText="Deciding..."
        >
          <SelectField
            name="end"
            label="What becomes of it"
            data={disputeEnds.map((value) => ({ value, label: endLabels[value] }))}
          />
          <SelectField
            name="fault"
            label="Whose fault it is"
            description="This person gets a strike."
            data={disputeFaults.toReversed().map((value) => ({ value, label: faultLabel(value, dispute) }))}
          />
          <TextAreaField name="reason" label="Reason" rows={4} maxLength={auctionLimits.reason} />
        </ModalForm>
      </Dialog>
    </li>
  );
}

function RequestCard({ request }: { request: VoidRequest }) {
  const [opened, setOpened] = useState<"void" | "decline" | null>(null);
  const { id, productId, productName, bidder, number, amount, reason, at } = request;
  const titleId = `request-${id}`;
  const close = () => setOpened(null);
  return (
    <li ref={passFocusOn} className={classes.group} aria-labelledby={titleId}>
      <h3 id={titleId} className={classes.title}>
        <TextLink to={`/product/${productId}`}>{productName}</TextLink>
        <span className={classes.hint}>
          : {bidder} bid {formatMoney(amount)}
        </span>
      </h3>
      <div>
        The seller says: {reason} <span className={classes.hint}>({formatMoment(at)})</span>
      </div>
      <div className={classes.actions}>
        {number !== null && (
          <Button variant="danger" aria-describedby={titleId} onClick={() => setOpened("void")}>
            Void the bids
          </Button>
        )}
        <Button variant="default" aria-describedby={titleId} onClick={() => setOpened("decline")}>
          Let them stay
        </Button>
      </div>
      <ReasonDialog
        opened={opened !== null}
        title={opened === "void" ? "Void bids" : "Let the bids stay"}
        draft={`${opened} ${id}`}
        maxLength={auctionLimits.reason}
        check={removalReasonProblem}
        send={async (text) => {
          if (opened === "void" && number !== null)
            await rpc.sales.voidBids({ productId, number, reason: text });
          else await rpc.sales.declineVoid({ requestId: id, reason: text });
          announce(opened === "void" ? "The bids were voided." : "The seller has been told.");
          await refresh();
        }}
        action={{ text: opened === "void" ? "Void" : "Let them stay", busyText: "Sending..." }}
        errorTitle="Not done"
        onClose={close}
      >
        {opened === "void"
          ? `None of ${bidder}'s bids on this item will count any more. Everyone reads this reason in its history.`
          : "The seller will read this reason."}
      </ReasonDialog>
    </li>
  );
}
