import { type ReactNode, useId } from "react";
import classes from "./security.module.css";

type SecurityItemProps = {
  title: string;
  /** Stands beside the title. */
  state?: ReactNode;
  text: string;
  /** What can be done about it. */
  action?: ReactNode;
  children?: ReactNode;
};

/** One way to log in, or to look after it. */
export function SecurityItem({ title, state, text, action, children }: SecurityItemProps) {
  const id = useId();
  return (
    <section className={classes.item} aria-labelledby={id}>
      <div className={classes.head}>
        <div className={classes.about}>
          <div className={classes.heading}>
            <h2 id={id} className={classes.name}>
              {title}
            </h2>
            {state}
          </div>
          <p className={classes.text}>{text}</p>
        </div>
        {action && <div className={classes.action}>{action}</div>}
      </div>
      {children}
    </section>
  );
}
