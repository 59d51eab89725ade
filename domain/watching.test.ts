import { describe, expect, test } from "vitest";
import {
  decideEnding,
  decideSearchNotification,
  decideWatch,
  normalisedFilters,
  proposedName,
  type SearchFilters,
  savedSearchProblem,
  searchInWords,
  watchLimits,
} from "./watching.ts";

const now = new Date("2026-11-24T12:00:00.000Z");
const minutes = (number: number) => new Date(now.getTime() + number * 60_000);
const days = (number: number) => minutes(number * 24 * 60);

describe("watching", () => {
  const auction = { state: "open", endsAt: minutes(1), isSeller: false } as const;
  const who = { isWatching: false, watched: 0 };

  test.each([
    [auction, who, "watched"],
    [auction, { isWatching: false, watched: watchLimits.items - 1 }, "watched"],
    [auction, { isWatching: false, watched: watchLimits.items }, "tooMany"],
    [auction, { isWatching: true, watched: watchLimits.items }, "watched"],
    [{ ...auction, isSeller: true }, who, "ownProduct"],
    [{ ...auction, state: "removed" }, who, "notFound"],
    [{ ...auction, state: "sold" }, who, "ended"],
    [{ ...auction, endsAt: now }, who, "ended"],
    [{ ...auction, state: "unsold" }, { ...who, isWatching: true }, "watched"],
  ] as const)("%o by %o: %s", (product, watcher, outcome) => {
    expect(decideWatch(product, watcher, now)).toBe(outcome);
  });
});

describe("the notification of an end", () => {
  const end = { endsAt: minutes(60), watchedAt: days(-1), toldFor: null, leads: false };

  test("is sent from an hour before it, to the millisecond", () => {
    expect(decideEnding(end, now)).toBe("tell");
    expect(decideEnding({ ...end, endsAt: new Date(minutes(60).getTime() + 1) }, now)).toBe("wait");
    expect(decideEnding({ ...end, endsAt: new Date(now.getTime() + 1) }, now)).toBe("tell");
    expect(decideEnding({ ...end, endsAt: now }, now)).toBe("wait");
  });

  test("is sent once, however far the end moves afterwards", () => {
    for (const endsAt of [minutes(60), minutes(2), days(1)])
      for (const toldFor of [minutes(60), minutes(-5), days(-1)])
        expect(decideEnding({ ...end, endsAt, toldFor }, now)).toBe("wait");
  });

  test("follows an end that moved before it was sent", () => {
    expect(decideEnding({ ...end, endsAt: days(1) }, now)).toBe("wait");
    expect(decideEnding({ ...end, endsAt: days(1) }, minutes(23 * 60))).toBe("tell");
  });

  test("isn't sent to the leader, nor to a user who began to watch in the last hour", () => {
    expect(decideEnding({ ...end, leads: true }, now)).toBe("passOver");
    expect(decideEnding({ ...end, watchedAt: minutes(0) }, now)).toBe("tell");
    expect(decideEnding({ ...end, endsAt: minutes(59), watchedAt: now }, now)).toBe("wait");
  });
});

describe("notifications of a saved search", () => {
  const newSearch = { mail: "daily", toldAt: null, mailedAt: null } as const;

  test("is sent immediately, then a day later at the earliest", () => {
    expect(decideSearchNotification(newSearch, now)).toEqual({ kind: "tell", mail: true, lookAgain: null });
    const again = { ...newSearch, toldAt: minutes(-1), mailedAt: minutes(-1) };
    expect(decideSearchNotification(again, now)).toEqual({ kind: "later", at: minutes(24 * 60 - 1) });
    expect(decideSearchNotification({ ...again, toldAt: days(-1), mailedAt: days(-1) }, now)).toMatchObject({
      kind: "tell",
      mail: true,
    });
  });

  test("is emailed once a week, and only shown by the bell in between", () => {
    const weekly = { mail: "weekly", toldAt: days(-2), mailedAt: days(-2) } as const;
    expect(decideSearchNotification(weekly, now)).toEqual({ kind: "tell", mail: false, lookAgain: days(5) });
    expect(decideSearchNotification({ ...weekly, mailedAt: days(-7) }, now)).toMatchObject({ mail: true });
  });

  test("is never emailed to a user who wants no emails", () => {
    for (const mailedAt of [null, days(-30)])
      expect(decideSearchNotification({ mail: "never", toldAt: days(-3), mailedAt }, now)).toEqual({
        kind: "tell",
        mail: false,
        lookAgain: null,
      });
  });
});

describe("a search to save", () => {
  const none: SearchFilters = {
    search: "",
    category: null,
    subcategory: null,
    grade: null,
    delivery: null,
    priceFrom: null,
    priceTo: null,
  };

  test("needs a name, and a word, a category or a grade", () => {
    const desk = { ...none, search: "desk" };
    expect(savedSearchProblem("Desks", desk)).toBeNull();
    expect(savedSearchProblem(" ", desk)).toMatchObject({ field: "name" });
    expect(savedSearchProblem("x".repeat(61), desk)).toMatchObject({ field: "name" });
    expect(savedSearchProblem("x".repeat(60), desk)).toBeNull();
    for (const filters of [
      none,
      { ...none, search: " - " },
      { ...none, priceTo: 100 },
      { ...none, delivery: "courier" as const },
    ])
      expect(savedSearchProblem("Any", filters)).toMatchObject({ field: "search" });
    expect(savedSearchProblem("Any", { ...none, grade: "New" })).toBeNull();
  });

  test("drops filters that have no effect", () => {
    const odd = { ...none, search: " desk ", category: "home", subcategory: "Phones" } as const;
    expect(normalisedFilters({ ...odd, priceFrom: 500, priceTo: 100 })).toEqual({
      ...odd,
      search: "desk",
      subcategory: null,
      priceFrom: 100,
      priceTo: 500,
    });
    expect(normalisedFilters({ ...none, subcategory: "Phones" }).subcategory).toBeNull();
  });

  test("is described in words, which also name it", () => {
    const filters = {
      search: "writing desk",
      category: "home",
      subcategory: "Furniture",
      grade: "Grade A",
      delivery: "courier",
      priceFrom: 10_000,
      priceTo: 50_000,
    } as const;
    expect(searchInWords(filters)).toBe(
      "“writing desk”, Home · Furniture, Grade A, Courier, R100.00 to R500.00",
    );
    expect(searchInWords({ ...none, category: "home", priceTo: 100 })).toBe("Home, up to R1.00");
    expect(proposedName(filters)).toBe("writing desk");
    expect(proposedName({ ...none, category: "home" })).toBe("Home");
  });
});
