import { useEffect, useRef } from "react";
import { useLocation, useNavigation, useSearchParams } from "react-router";
import { useQueryOfAddress } from "./hydration.ts";
import { pendingScreen } from "./pending-screen.ts";

/** A list's filters, as its address holds them; null and "" are left out of the address. */
type View = Record<string, string | null>;

/** Changes to a view, or a function that makes them of the latest view, which may be newer than the one shown. */
export type ViewChanges<Shown> = Partial<Shown> | ((latest: Shown) => Partial<Shown>);

/** Returns the address's query for a view, without the defaults. */
export function write<Shown extends View>(view: Shown, defaults: Partial<Shown>): Record<string, string> {
  const omitted: Partial<View> = defaults;
  return Object.fromEntries(
    Object.entries(view).flatMap(([key, value]) =>
      value && omitted[key] !== value ? [[key, value] as const] : [],
    ),
  );
}

/**
 * Returns the view that the address encodes, so that a reload, a link or Back restores it, and a function that changes
 * part of it in the address. Changes may follow each other before the address is updated, as when a dialog closes while
 * a search is typed: each builds on the one before. A change during a navigation is dropped: a search that was typed
 * just before a click must not cancel that navigation.
 */
export function useAddressView<Shown extends View>(
  read: (params: URLSearchParams) => Shown,
  defaults: Partial<Shown>,
) {
  const params = useQueryOfAddress();
  const [, setParams] = useSearchParams();
  const view = read(params);
  const latest = useRef(view);
  /** The queries that were requested and that the page has not shown yet, oldest first. */
  const requested = useRef<string[]>([]);
  const { pathname } = useLocation();
  const next = useNavigation().location;
  const isLeaving = next !== undefined && next.pathname !== pathname;
  useEffect(() => {
    const place = requested.current.lastIndexOf(params.toString());
    // A query that was not requested comes from elsewhere, such as Back, and replaces the requested ones.
    requested.current = place === -1 ? [] : requested.current.slice(place + 1);
    if (requested.current.length === 0) latest.current = read(params);
  }, [params, read]);
  const change = (changes: ViewChanges<Shown>) => {
    if (isLeaving || pendingScreen.location) return;
    const changed = typeof changes === "function" ? changes(latest.current) : changes;
    latest.current = { ...latest.current, ...changed };
    const query = new URLSearchParams(write(latest.current, defaults));
    requested.current.push(query.toString());
    setParams(query, { replace: true, preventScrollReset: true });
  };
  return [view, change] as const;
}
