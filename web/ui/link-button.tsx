import { Link, type LinkProps } from "react-router";
import { type ButtonLook, dressed } from "./button.tsx";

type LinkButtonProps = ButtonLook & Omit<LinkProps, keyof ButtonLook> & { primary?: boolean };

/** A link that looks like a button; `primary` for the one that matters most on the screen. */
export const LinkButton = ({ primary = false, ...link }: LinkButtonProps) => (
  <Link {...dressed({ size: "md", variant: primary ? "filled" : "default", ...link })} />
);
