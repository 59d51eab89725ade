import { Fragment } from "react";
import { textParts } from "./text-parts.ts";
import classes from "./thread.module.css";

/** A message's plain text, with its web addresses as links. Each of them opens in a new tab. */
export const MessageText = ({ text }: { text: string }) => (
  <p className={classes.text} dir="auto">
    {textParts(text).map(({ at, text: part, href }) => (
      <Fragment key={at}>
        {href === undefined ? (
          part
        ) : (
          <a href={href} target="_blank" rel="noopener nofollow" className={classes.link}>
            {part}
          </a>
        )}
      </Fragment>
    ))}
  </p>
);
