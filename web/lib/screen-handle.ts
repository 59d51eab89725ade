import type { Viewer } from "#contract/account.ts";
import type { Area } from "#domain/area.ts";
import type { ToldAnswer } from "./first-sight.ts";

/** Where a link leads, and who is about to follow it. */
type Place = {
  params: Readonly<Record<string, string | undefined>>;
  search: URLSearchParams;
  viewer: Viewer | null;
};

/** The `handle` of a screen or a guard: what it says of itself to whoever has not opened it yet. */
export type ScreenHandle = {
  /** A guard: whom it admits. */
  area?: Area;
  /** A screen: asks the server for what it shows first, ahead of its opening. Nothing that leaves a trace there. */
  ask?: (place: Place) => Promise<unknown>;
  /** A screen: takes over what the server told with its page, as the answer of what it would ask. */
  take?: (told: ToldAnswer) => void;
};
