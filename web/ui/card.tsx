import type { ReactNode } from "react";
import classes from "./card.module.css";

/** A card of a dashboard, with its title, content and actions. */
export function Card({
  title,
  icon,
  action,
  children,
}: {
  title: string;
  icon?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={classes.card}>
      {icon && (
        <span className={classes.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.body}>{children}</div>
      {action && <div className={classes.action}>{action}</div>}
    </section>
  );
}
