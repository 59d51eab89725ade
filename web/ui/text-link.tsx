import { Link, type LinkProps } from "react-router";
import classes from "./text-link.module.css";

/** A link in a text: to a screen, or to any full URL. */
export const TextLink = (link: LinkProps) => <Link className={classes.link ?? ""} {...link} />;
