import { Suspense, useState, useSyncExternalStore } from "react";
import { type KeptReceipt, receiptFile } from "#domain/bid-history.ts";
import { useViewer } from "../../../lib/viewer.ts";
import { Button } from "../../../ui/button.tsx";
import { late } from "../../../ui/late.tsx";
import classes from "./books.module.css";
import { receiptsOf, watchReceipts } from "./receipts.ts";

/** Lazy-loaded: few people check a history. */
const HistoryCheck = late(() => import("./history-check.tsx"));

const noReceipts: readonly KeptReceipt[] = [];

/** The buttons to check a product's history, and to save the receipts of the viewer's bids. */
export default function Books({ productId }: { productId: string }) {
  const bidderId = useViewer()?.id ?? null;
  const all = useSyncExternalStore(
    watchReceipts,
    () => receiptsOf(bidderId),
    () => noReceipts,
  );
  const receipts = all.filter((receipt) => receipt.productId === productId);
  const [isChecking, setIsChecking] = useState(false);
  return (
    <>
      <p className={classes.actions}>
        {!isChecking && (
          <Button variant="default" onClick={() => setIsChecking(true)}>
            Check this history
          </Button>
        )}
        {receipts.length > 0 && (
          <Button variant="default" onClick={() => save(productId, receipts)}>
            {receipts.length === 1 ? "Save receipt" : `Save ${receipts.length} receipts`}
          </Button>
        )}
      </p>
      {isChecking && (
        <Suspense fallback={<output>Checking…</output>}>
          <HistoryCheck productId={productId} receipts={receipts} />
        </Suspense>
      )}
    </>
  );
}

/** Saves receipts as a file. */
function save(productId: string, receipts: readonly KeptReceipt[]): void {
  const url = URL.createObjectURL(new Blob([receiptFile(receipts)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `wayfare-receipts-${productId}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
