import { type ReactNode, useId } from "react";
import { passFocusOn } from "../lib/focus.ts";
import classes from "./item-list.module.css";

export const ItemList = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.list} aria-label={label}>
    {children}
  </ul>
);

type ItemProps = {
  name: string;
  /** The heading level of the name: 3 in a list within an item. */
  level?: 2 | 3;
  /** Shown beside the name. */
  state?: ReactNode;
  /** The facts about it, in paragraphs. */
  details: ReactNode;
  /** The buttons of its actions. */
  actions?: ReactNode;
  children?: ReactNode;
};

/** One entry of a short list, with its facts and actions. */
export function Item({ name, level = 2, state, details, actions, children }: ItemProps) {
  const id = useId();
  const Name = level === 2 ? "h2" : "h3";
  return (
    <li ref={passFocusOn} className={classes.item} aria-labelledby={id}>
      <div className={classes.head}>
        <div className={classes.about}>
          <div className={classes.heading}>
            <Name id={id} className={classes.name}>
              {name}
            </Name>
            {state}
          </div>
          <div className={classes.details}>{details}</div>
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </li>
  );
}
