import type { Sample } from "./samples.ts";

/** A figure of the home page: it counts up to `value`, followed by `suffix`. */
export type Stat = Sample & { label: string; value: number; suffix: string };

export const stats: readonly Stat[] = [
  { label: "Partner universities", value: 1000, suffix: "", sample: true },
  { label: "Students assisted", value: 1000, suffix: "+", sample: true },
  { label: "Application success rate", value: 95, suffix: "%", sample: true },
];
