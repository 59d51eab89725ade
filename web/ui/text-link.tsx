import { Link, type LinkProps } from "react-router";
import classes from "./text-link.module.css";

/** A link in a text: to a screen, or by a whole address to anywhere else. */
export const TextLink = (link: LinkProps) => <Link className={classes.link ?? ""} {...link} />;
