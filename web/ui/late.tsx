import { type ComponentType, lazy } from "react";
import { whenOnline } from "../lib/online.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

export const notLoaded = "We couldn't load a part of this page. Reloading usually helps.";

const NotLoaded = () => (
  <Notice action={<Button onClick={() => location.reload()}>Reload</Button>}>{notLoaded}</Notice>
);

/** Stands in for a part that the page works without. */
export const Nothing = () => null;

/**
 * Lazy-loads a component. If its code fails to load, `Instead` takes its place until the next page load, because
 * browsers remember a module that failed; the page around it keeps working.
 */
export const late = <Props,>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Instead: ComponentType<Props> = NotLoaded,
) => lazy(whenOnline(() => load().catch(() => ({ default: Instead }))));
