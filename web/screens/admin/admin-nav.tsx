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
export const AdminNav = () => (
  <nav aria-label="Admin" className={classes.nav}>
    {entries.map(({ label, to }) => (
      <NavLink key={to} to={to} className={classes.entry ?? ""}>
        {label}
      </NavLink>
    ))}
  </nav>
);
