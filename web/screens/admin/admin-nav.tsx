import { useEffect, useRef } from "react";
import { NavLink } from "react-router";
import classes from "./admin-nav.module.css";

const entries = [
  { label: "Overview", to: "/admin-dashboard" },
  { label: "Accounts", to: "/admin/accounts" },
  { label: "Audit log", to: "/admin/audit" },
  { label: "Failed jobs", to: "/admin/jobs" },
  { label: "Retention", to: "/admin/retention" },
] as const;

/** Leads from one of the admins' screens to the others. */
export function AdminNav() {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>("[aria-current=page]");
    // Whole, where it would be cut off at the end of a narrow screen.
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
