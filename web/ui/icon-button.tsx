import type { ComponentProps } from "react";
import classes from "./icon-button.module.css";

type IconButtonProps = Omit<ComponentProps<"button">, "type" | "aria-label"> & { label: string };

/** A button with a picture for its name. */
export const IconButton = ({ label, className = "", ...button }: IconButtonProps) => (
  <button type="button" aria-label={label} className={`${classes.button} ${className}`} {...button} />
);

/** The same look for a link. */
export const iconButtonClass = classes.button ?? "";
