import { useState } from "react";
import type { ProgrammePage } from "#contract/programmes.ts";
import { intakeNow } from "#domain/intake.ts";
import { startDay, startMonth } from "#domain/programme.ts";
import { useNow, useQueryOfAddress } from "../../../lib/hydration.ts";
import { cardPath } from "../paths.ts";
import { useAnswers } from "./answers.ts";

/**
 * Returns the starts to choose from, and the chosen one: initially the one that the address names, as the cards of a
 * list of one start do (`?start=2027-09`), or else the next one.
 */
export function useStart({ id, slug, intakes, judgedFor, removed }: ProgrammePage) {
  const now = useNow();
  const groups = useAnswers(id).data?.groups ?? [];
  const [chosenId, choose] = useState<string | null>(null);
  const query = useQueryOfAddress();
  const coming = removed
    ? []
    : intakes
        .map((intake) => ({ ...intake, state: intakeNow(intake, groups, now) }))
        .filter(({ state }) => state === "open" || state === "notYet");
  const ownStart =
    coming.find((intake) => intake.id === chosenId) ??
    coming.find((intake) => startMonth(intake) === query.get("start"));
  const start = ownStart ?? coming[0];
  const month = ownStart ? startMonth(ownStart) : null;
  return {
    coming,
    choose,
    /** The chosen start as YYYY-MM, for links; null while it is the next one by default. */
    month,
    /** The address of the page with the chosen start and the comparison, to return to. */
    path: cardPath(slug, query.get("compare"), month),
    intakeId: start?.id ?? null,
    /** The intake to query answers for; undefined if it is the one that they are for by default. */
    judgedId: start && startDay(start) !== judgedFor ? start.id : undefined,
  };
}
export type Start = ReturnType<typeof useStart>;
