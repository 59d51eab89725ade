import { useEffect, useRef } from "react";
import { useLocation, useNavigation, useSearchParams } from "react-router";
import { useQueryOfAddress } from "./hydration.ts";

/** What a list shows, as its address has it; null and "" are left out of it. */
type View = Record<string, string | null>;

/** The address for a view: what goes without saying is left out. */
export function write<Shown extends View>(view: Shown, unsaid: Partial<Shown>): Record<string, string> {
  const defaults: Partial<View> = unsaid;
  const said = Object.entries(view).flatMap(([key, value]) =>
    value && defaults[key] !== value ? [[key, value] as const] : [],
  );
  return Object.fromEntries(said);
}

/**
 * The view that the address stands for, so that a reload, a link or Back brings the same, and a function that changes
 * some of it in the address. Changes may follow each other before the address has caught up, as when a dialog closes
 * while a search is typed: each goes on from the one before. While another page is on its way nothing changes: a search
 * that was typed just before a press must not call that page off.
 */
export function useAddressView<Shown extends View>(
  read: (params: URLSearchParams) => Shown,
  unsaid: Partial<Shown>,
) {
  const params = useQueryOfAddress();
  const [, setParams] = useSearchParams();
  const view = read(params);
  const latest = useRef(view);
  const { pathname } = useLocation();
  const next = useNavigation().location;
  const isLeaving = next !== undefined && next.pathname !== pathname;
  useEffect(() => {
    latest.current = read(params);
  }, [params, read]);
  const change = (changes: Partial<Shown>) => {
    if (isLeaving) return;
    latest.current = { ...latest.current, ...changes };
    setParams(write(latest.current, unsaid), { replace: true, preventScrollReset: true });
  };
  return [view, change] as const;
}
