import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { KeptReceipt } from "#domain/bid-history.ts";
import { receiptsIn } from "#domain/history-lines.ts";
import { historyPath } from "#protocol/addresses.ts";
import { Button } from "../../../ui/button.tsx";
import { checkInBrowser } from "./check-history.ts";
import classes from "./history-check.module.css";

type HistoryCheckProps = { productId: string; receipts: readonly KeptReceipt[] };

/** Checks a product's history in this browser, with the receipts of this browser and of a file. */
export default function HistoryCheck({ productId, receipts }: HistoryCheckProps) {
  const [fromFile, setFromFile] = useState<readonly KeptReceipt[]>([]);
  // A receipt from a file comes last and wins: it has the limit, which the browser does not store.
  const all = distinct([...receipts, ...fromFile], ({ signature, number }) => `${number} ${signature}`);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["history check", productId, all],
    queryFn: () => checkInBrowser(productId, all),
    // A check always needs the current history.
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <div className={classes.check}>
      <output className={classes.findings}>
        {isFetching && <span className={classes.finding}>Checking…</span>}
        {!isFetching && error && (
          <span className={classes.finding} data-holds={false}>
            The history couldn't be read. Please try again.
          </span>
        )}
        {!isFetching &&
          distinct(data ?? [], ({ text }) => text).map(({ holds, text }) => (
            <span key={text} className={classes.finding} data-holds={holds}>
              {text}
            </span>
          ))}
      </output>
      <p className={classes.small}>
        Your browser has worked out the hash of every row itself. To check them with a program of your own,
        take <a href={historyPath(productId)}>the rows</a>.
      </p>
      <Receipts onRead={(read) => setFromFile((before) => [...before, ...read])} />
      <Button variant="default" disabled={isFetching} onClick={() => void refetch()}>
        Check again
      </Button>
    </div>
  );
}

const distinct = <Item,>(items: readonly Item[], keyOf: (item: Item) => string): Item[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

/** Reads receipts from a file or a text. */
function Receipts({ onRead }: { onRead: (receipts: KeptReceipt[]) => void }) {
  const id = useId();
  const [isWrong, setIsWrong] = useState(false);
  const read = (text: string) => {
    const receipts = receiptsIn(text);
    setIsWrong(receipts.length === 0);
    if (receipts.length > 0) onRead(receipts);
  };
  return (
    <details className={classes.receipts}>
      <summary>Check a saved receipt</summary>
      <label htmlFor={`${id} file`}>Receipt file</label>
      <input
        id={`${id} file`}
        type="file"
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void file.text().then(read);
        }}
      />
      <label htmlFor={`${id} text`}>Or its text</label>
      <textarea
        id={`${id} text`}
        rows={3}
        spellCheck={false}
        onChange={({ currentTarget: { value } }) => (value === "" ? setIsWrong(false) : read(value))}
      />
      <output className={classes.small}>{isWrong && "This isn't a receipt of a bid."}</output>
    </details>
  );
}
