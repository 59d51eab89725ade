import { useEffect, useRef } from "react";
import { NavLink } from "react-router";
import classes from "./admin-nav.module.css";

const entries = [
  { label: "Overview", to: "/admin-dashboard" },
  { label: "Accounts", to: "/admin/accounts" },
  { label: "Reports", to: "/admin/reports" },
  { label: "Programmes", to: "/admin/programmes" },
  { label: "Institutions", to: "/admin/institutions" },
  { label: "Groups and rates", to: "/admin/programme-tables" },
  { label: "Audit log", to: "/admin/audit" },
  { label: "Duplicates", to: "/admin/duplicates" },
  { label: "Trade reports", to: "/admin/trade-reports" },
  { label: "Bidding pairs", to: "/admin/pairs" },
  { label: "Disputes", to: "/admin/disputes" },
  { label: "Failed jobs", to: "/admin/jobs" },
  { label: "Task templates", to: "/admin/task-templates" },
  { label: "Retention", to: "/admin/retention" },
] as const;

/** The links between the admins' screens. */
export function AdminNav() {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>("[aria-current=page]");
    // Scrolls the current link fully into view, which a narrow screen would cut off.
    if (nav.current && current)
      nav.current.scrollLeft = current.offsetLeft + current.offsetWidth - nav.current.clientWidth;
  }, []);
  return (
    <nav ref={nav} aria-label="Admin" className={classes.nav}>
      {entries.map(({ label, to }) => (
        <NavLink key={to} to={to} className={classes.entry ?? ""}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
