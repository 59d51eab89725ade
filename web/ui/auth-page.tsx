import type { ReactNode } from "react";
import classes from "./auth-page.module.css";

/** A form about an account, beside a decorative picture. */
export function AuthPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <h1 className={classes.title}>{title}</h1>
        {lead && <p className={classes.lead}>{lead}</p>}
        <div className={classes.content}>{children}</div>
      </div>
      <div className={classes.panel} aria-hidden="true">
        <svg viewBox="0 0 480 640" preserveAspectRatio="xMidYMid slice" className={classes.picture}>
          <path
            d="M-20 500 C 90 430, 170 520, 260 470 S 420 380, 500 420 V 660 H -20 Z"
            className={classes.far}
          />
          <path
            d="M-20 560 C 80 520, 200 600, 300 550 S 440 500, 500 530 V 660 H -20 Z"
            className={classes.near}
          />
          <circle cx="372" cy="150" r="44" className={classes.sun} />
          <path
            d="M70 470 C 60 330, 190 330, 210 400 S 350 420, 330 290 S 240 210, 300 130"
            className={classes.way}
          />
          <circle cx="70" cy="470" r="9" className={classes.stop} />
          <circle cx="214" cy="412" r="6" className={classes.stop} />
          <circle cx="331" cy="300" r="6" className={classes.stop} />
          <circle cx="300" cy="130" r="9" className={classes.stop} />
        </svg>
      </div>
    </div>
  );
}

/** A link to another page, below the form. */
export const Aside = ({ children }: { children: ReactNode }) => (
  <div className={classes.aside}>{children}</div>
);
