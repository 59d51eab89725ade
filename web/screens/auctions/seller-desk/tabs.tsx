import { Link } from "react-router";
import classes from "./desk.module.css";

const deskTabs = ["open", "unsold", "sold", "drafts"] as const;
export type DeskTab = (typeof deskTabs)[number];
const labels: Record<DeskTab, string> = {
  open: "Open",
  unsold: "Ended unsold",
  sold: "Sold",
  drafts: "Drafts",
};

export function readTab(params: URLSearchParams): { tab: DeskTab } {
  return { tab: deskTabs.find((each) => each === params.get("tab")) ?? "open" };
}

type DeskTabsProps = {
  tab: DeskTab;
  counts: Record<DeskTab, number>;
};

/** The tabs of the seller's dashboard, with the number of items in each. */
export const DeskTabs = ({ tab, counts }: DeskTabsProps) => (
  <nav aria-label="Parts of your products" className={classes.tabs}>
    {deskTabs.map((each) => (
      <Link
        key={each}
        to={each === "open" ? "/product-list" : `/product-list?tab=${each}`}
        replace
        preventScrollReset
        className={classes.tab}
        aria-current={each === tab ? "page" : undefined}
      >
        {labels[each]} ({counts[each]})
      </Link>
    ))}
  </nav>
);
