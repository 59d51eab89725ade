import { useMutation, useQuery } from "@tanstack/react-query";
import type { SavedSearch } from "#contract/watching.ts";
import { type SearchMail, searchInWords } from "#domain/watching.ts";
import { searchPath } from "#protocol/addresses.ts";
import { countedText, maxHits } from "#protocol/page-sizes.ts";
import { announce } from "../../../lib/announce.ts";
import { passFocusOn } from "../../../lib/focus.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { AuctionListSkeleton } from "../../../ui/auction-row.tsx";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { Retry } from "../../../ui/retry.tsx";
import { MailChoice } from "./save-search.tsx";
import classes from "./saved-searches.module.css";

/** The viewer's saved searches, each with its number of new items, its email setting and a remove button. */
export function SavedSearches() {
  const { data, error, refetch } = useQuery(api.watching.searches.queryOptions());
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <AuctionListSkeleton label="Loading your searches" />;
  if (data.searches.length === 0)
    return (
      <EmptyState
        title="No saved searches yet."
        text="Search the auctions and press “Save this search”. We'll tell you when something new comes."
      >
        <LinkButton primary to="/auctions">
          Search the auctions
        </LinkButton>
      </EmptyState>
    );
  return (
    <ul className={classes.list} aria-label="Saved searches">
      {data.searches.map((search) => (
        <Search key={search.id} search={search} />
      ))}
    </ul>
  );
}

const refresh = () => queryClient.invalidateQueries({ queryKey: api.watching.searches.key() });

const newItems = (unseen: number): string =>
  unseen === 1 ? "1 new item" : `${countedText(unseen, maxHits)} new items`;

function Search({ search }: { search: SavedSearch }) {
  const { id, name, filters, mail, unseen } = search;
  const change = useMutation({
    mutationFn: (mail: SearchMail) => rpc.watching.changeSearch({ searchId: id, name, mail }),
    onSuccess: () => announce("Saved."),
    onSettled: refresh,
  });
  const removal = useMutation({
    mutationFn: () => rpc.watching.removeSearch({ searchId: id }),
    onSuccess: () => announce(`${name} is removed.`),
    onSettled: refresh,
  });
  return (
    <li ref={passFocusOn} className={classes.search} aria-labelledby={`search-${id}`}>
      <div className={classes.words}>
        <h2 className={classes.name} id={`search-${id}`}>
          {name}
        </h2>
        <p className={classes.line}>{searchInWords(filters)}</p>
        <p className={classes.line} data-new={unseen > 0 || undefined}>
          {unseen > 0 ? <span className={classes.new}>{newItems(unseen)}</span> : "Nothing new"}
        </p>
      </div>
      <div className={classes.mail}>
        <MailChoice label="Emails" mail={change.variables ?? mail} onChoose={change.mutate} />
      </div>
      <div className={classes.buttons}>
        <LinkButton size="sm" to={searchPath(filters, id)} aria-label={`See the items of ${name}`}>
          See the items
        </LinkButton>
        <Button
          variant="default"
          disabled={removal.isPending}
          aria-label={`Remove ${name}`}
          onClick={() => removal.mutate()}
        >
          Remove
        </Button>
      </div>
      <ErrorModal
        title="Error"
        error={change.error ?? removal.error}
        onClose={() => {
          change.reset();
          removal.reset();
        }}
      />
    </li>
  );
}
