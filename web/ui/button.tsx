import type { ComponentProps, ReactNode } from "react";
import classes from "./button.module.css";

/** How a button, or a link that looks like one, is styled. */
export type ButtonVariants = {
  /** `filled` for what matters most on the screen, `accent` once a screen at most. */
  variant?: "filled" | "default" | "light" | "subtle" | "danger" | "accent";
  size?: "compact-sm" | "compact-md" | "sm" | "md" | "lg";
  fullWidth?: boolean;
  /** With room above it. */
  spaced?: boolean;
  /** A picture after the words. */
  rightSection?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
};

/** The props of an element that is shown as a button. */
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

export type ButtonProps = ButtonVariants & Omit<ComponentProps<"button">, keyof ButtonVariants>;

export const Button = (props: ButtonProps) => <button type="button" {...buttonProps(props)} />;
