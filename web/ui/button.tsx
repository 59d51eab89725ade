import type { ComponentProps, ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import { passFocusOn } from "../lib/focus.ts";
import classes from "./button.module.css";

/** The styling of a button, or of a link that looks like one. */
export type ButtonVariants = {
  /** `filled` for the main action of a screen, `accent` at most once per screen. */
  variant?: "filled" | "default" | "light" | "subtle" | "danger" | "accent";
  size?: "compact-sm" | "compact-md" | "sm" | "md" | "lg";
  fullWidth?: boolean;
  /** Adds space above it. */
  spaced?: boolean;
  /** An icon after the label. */
  rightSection?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
};

/** Returns the props of an element that looks like a button. */
export function buttonProps<Props extends ButtonVariants>(props: Props) {
  const {
    variant = "filled",
    size = "sm",
    fullWidth,
    spaced,
    rightSection,
    className,
    children,
    ...rest
  } = props;
  return {
    ...rest,
    className: `${classes.button} ${className ?? ""}`,
    "data-variant": variant,
    "data-size": size,
    "data-wide": fullWidth || undefined,
    "data-spaced": spaced || undefined,
    children: (
      <>
        {children}
        {rightSection && <span className={classes.after}>{rightSection}</span>}
      </>
    ),
  };
}

type PressableProps = Omit<ComponentProps<"button">, "ref">;

/** A button that keeps the focus while it is disabled, and passes it on when it is removed. */
export const Pressable = ({ disabled, onClick, ...button }: PressableProps) => (
  <button
    ref={passFocusOn}
    type="button"
    aria-disabled={disabled || undefined}
    onClick={disabled ? undefined : onClick}
    {...button}
  />
);

type ButtonProps = ButtonVariants & Omit<PressableProps, keyof ButtonVariants>;

export const Button = (props: ButtonProps) => <Pressable {...buttonProps(props)} />;

type LinkButtonProps = ButtonVariants & Omit<LinkProps, keyof ButtonVariants> & { primary?: boolean };

/** A link that looks like a button; `primary` for the main one of a screen. */
export const LinkButton = ({ primary = false, ...link }: LinkButtonProps) => (
  <Link {...buttonProps({ size: "md", variant: primary ? "filled" : "default", ...link })} />
);

type IconButtonProps = Omit<PressableProps, "type" | "aria-label"> & { label: string };

/** A button with an icon, named by its label. */
export const IconButton = ({ label, className = "", ...button }: IconButtonProps) => (
  <Pressable aria-label={label} className={`${iconButtonClass} ${className}`} {...button} />
);

/** The icon button's style, for links. */
export const iconButtonClass = classes.icon ?? "";
