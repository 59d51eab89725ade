import { IconChevronDown } from "@tabler/icons-react";
import { Link } from "react-router";
import type { Member } from "../lib/viewer.ts";
import { Button } from "../ui/button.tsx";
import classes from "./account-menu.module.css";
import { entriesOf } from "./menus.ts";

const listId = "account-menu";
const close = () => document.getElementById(listId)?.hidePopover();

/** Props of the button that opens the dropdown, and of its placeholder until the viewer is known. */
export const accountButtonProps = {
  variant: "default",
  rightSection: <IconChevronDown size={16} aria-hidden />,
  className: classes.target,
} as const;
export const accountLabel = (email: string | null) => (
  <span className={classes.email}>{email ?? "Account"}</span>
);

/** The dropdown titled with the viewer's email: a popover, which Escape or a click outside closes. */
export function AccountMenu({ member, onLogout }: { member: Member; onLogout: () => void }) {
  return (
    <>
      <Button {...accountButtonProps} popoverTarget={listId}>
        {accountLabel(member.email)}
      </Button>
      <ul id={listId} popover="auto" className={classes.list} aria-label="Account">
        {entriesOf(member).map(({ label, to }) => (
          <li key={to}>
            <Link to={to} className={classes.entry} onClick={close}>
              {label}
            </Link>
          </li>
        ))}
        <li className={classes.last}>
          <button
            type="button"
            className={classes.entry}
            onClick={() => {
              close();
              onLogout();
            }}
          >
            Logout
          </button>
        </li>
      </ul>
    </>
  );
}
