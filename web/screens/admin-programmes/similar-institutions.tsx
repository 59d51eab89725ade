import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogueInstitution } from "#contract/catalogue-institutions.ts";
import { countryName } from "#domain/country.ts";
import { announce } from "../../lib/announce.ts";
import { formatDate } from "../../lib/format-date.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import classes from "./programmes.module.css";

const refetchAll = () => queryClient.invalidateQueries({ queryKey: api.catalogue.key() });

type Pair = { one: CatalogueInstitution; other: CatalogueInstitution };
const keyOf = ({ one, other }: Pair) => `${one.id} ${other.id}`;
const nameOf = ({ one, other }: Pair) => `${one.name} and ${other.name}`;
const idsOf = ({ one, other }: Pair) => ({ one: one.id, other: other.id });

/** Pairs of institutions that may be the same, each with the choice of the one that stays. */
export function SimilarInstitutions() {
  const { data } = useQuery(api.catalogue.similarInstitutions.queryOptions());
  const [pair, setPair] = useState<{ from: CatalogueInstitution; into: CatalogueInstitution } | null>(null);
  const joining = useMutation({
    mutationFn: ({ from, into }: NonNullable<typeof pair>) =>
      rpc.catalogue.joinInstitution({ id: from.id, into: into.id }),
    onSuccess: (_, { from, into }) => announce(`${from.name} is now part of ${into.name}.`),
    onSettled: refetchAll,
  });
  const parting = useMutation({
    mutationFn: (different: Pair) => rpc.catalogue.sayDifferent(idsOf(different)),
    onSuccess: (_, different) => announce(`Noted: ${nameOf(different)} are different.`),
    onSettled: refetchAll,
  });
  const isBusy = joining.isPending || parting.isPending;
  if (!data || data.pairs.length === 0) return null;
  return (
    <section aria-labelledby="similar">
      <h2 id="similar" className={classes.heading}>
        Perhaps the same institution twice
      </h2>
      <ItemList label="Pairs">
        {data.pairs.map((similar) => {
          const { one, other } = similar;
          return (
            <Item
              key={keyOf(similar)}
              level={3}
              name={nameOf(similar)}
              details={
                <p>
                  {countryName(one.country)}: {one.programmes.toLocaleString("en")} and{" "}
                  {other.programmes.toLocaleString("en")} programmes.
                </p>
              }
              actions={
                <>
                  {[one, other].map((into, at) => (
                    <Button
                      key={into.id}
                      size="compact-md"
                      variant="default"
                      disabled={isBusy}
                      aria-label={`${at === 0 ? "Keep the first" : "Keep the second"}: ${into.name}`}
                      onClick={() => setPair({ from: into === one ? other : one, into })}
                    >
                      {at === 0 ? "Keep the first" : "Keep the second"}
                    </Button>
                  ))}
                  <Button
                    size="compact-md"
                    variant="default"
                    disabled={isBusy}
                    aria-label={`Not the same: ${nameOf(similar)}`}
                    onClick={() => parting.mutate(similar)}
                  >
                    Not the same
                  </Button>
                </>
              }
            />
          );
        })}
      </ItemList>
      <ConfirmModal
        question={
          pair && {
            title: "Join the two?",
            text: `The programmes of ${pair.from.name} move to ${pair.into.name}, which is then found by both names. This can't be undone.`,
            action: "Join them",
          }
        }
        onConfirm={() => {
          if (pair) joining.mutate(pair);
          setPair(null);
        }}
        onCancel={() => setPair(null)}
      />
      <ErrorModal title="Not Joined" error={joining.error} onClose={joining.reset} />
      <ErrorModal title="Not Saved" error={parting.error} onClose={parting.reset} />
    </section>
  );
}

const differentQuery = api.catalogue.differentInstitutions.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
  select: ({ pages }) => pages.flatMap(({ pairs }) => pairs),
});

/** Pairs that staff have marked as different; each mark can be taken back. */
export function DifferentInstitutions() {
  const query = useInfiniteQuery(differentQuery);
  const takingBack = useMutation({
    mutationFn: (pair: Pair) => rpc.catalogue.takeBackDifferent(idsOf(pair)),
    onSuccess: () => announce("Taken back."),
    onSettled: refetchAll,
  });
  if (!query.data || query.data.length === 0) return null;
  return (
    <section aria-labelledby="different">
      <h2 id="different" className={classes.heading}>
        Said to be different
      </h2>
      <ItemList label="Different institutions">
        {query.data.map((pair) => (
          <Item
            key={keyOf(pair)}
            level={3}
            name={nameOf(pair)}
            details={
              <p>
                {countryName(pair.one.country)}. Said on {formatDate(pair.at)}
                {pair.by !== null && ` by ${pair.by}`}.
              </p>
            }
            actions={
              <Button
                size="compact-md"
                variant="default"
                disabled={takingBack.isPending}
                aria-label={`Take back: ${nameOf(pair)}`}
                onClick={() => takingBack.mutate(pair)}
              >
                Take back
              </Button>
            }
          />
        ))}
      </ItemList>
      <ShowMore query={query} />
      <ErrorModal title="Not Taken Back" error={takingBack.error} onClose={takingBack.reset} />
    </section>
  );
}
