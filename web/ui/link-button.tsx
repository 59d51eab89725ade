import { Link, type LinkProps } from "react-router";
import { type ButtonVariants, buttonProps } from "./button.tsx";

type LinkButtonProps = ButtonVariants & Omit<LinkProps, keyof ButtonVariants> & { primary?: boolean };

/** A link that looks like a button; `primary` for the one that matters most on the screen. */
export const LinkButton = ({ primary = false, ...link }: LinkButtonProps) => (
  <Link {...buttonProps({ size: "md", variant: primary ? "filled" : "default", ...link })} />
);
