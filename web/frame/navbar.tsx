import { IconBell, IconMenu2, IconMessages } from "@tabler/icons-react";
import { Suspense } from "react";
import { Link, NavLink } from "react-router";
import { isStudentOrStaff } from "#domain/permission.ts";
import { useNext } from "../lib/use-next.ts";
import { type Member, useViewer } from "../lib/viewer.ts";
import { Button, IconButton, iconButtonClass, LinkButton } from "../ui/button.tsx";
import { Either } from "../ui/either.tsx";
import { late } from "../ui/late.tsx";
import { Wordmark } from "../ui/wordmark.tsx";
import { AccountMenu, accountButtonProps, accountLabel } from "./account-menu.tsx";
import { publicEntries } from "./menus.ts";
import classes from "./navbar.module.css";

type NavbarProps = {
  member: Member | null;
  sidebarOpen: boolean;
  onOpen: () => void;
  onLogout: () => void;
};

/** The top of every page. On a narrow screen, most of it moves to the sidebar. */
export function Navbar({ member, sidebarOpen, onOpen, onLogout }: NavbarProps) {
  return (
    <header className={classes.navbar}>
      <IconButton label="Open menu" aria-expanded={sidebarOpen} aria-haspopup="dialog" onClick={onOpen}>
        <IconMenu2 size={22} stroke={1.6} aria-hidden />
      </IconButton>
      <Link to="/" className={classes.brand}>
        <Wordmark />
      </Link>
      <nav aria-label="Main" className={classes.links}>
        {publicEntries.map(({ label, to }) => (
          <NavLink key={to} to={to} className={classes.link ?? ""}>
            {label}
          </NavLink>
        ))}
      </nav>
      <div className={classes.account}>
        <Either
          isMember={member !== null}
          member={member ? <MemberSide member={member} onLogout={onLogout} /> : <UnknownSide />}
          visitor={<VisitorSide />}
        />
      </div>
    </header>
  );
}

function VisitorSide() {
  const withNext = useNext();
  return (
    <>
      <LinkButton to={withNext("/login")} size="sm" variant="subtle">
        Login
      </LinkButton>
      <LinkButton primary to={withNext("/signup")} size="sm" className={classes.wide}>
        Sign Up
      </LinkButton>
    </>
  );
}

/** Stands in for the link with its count until that has loaded, and if it doesn't. */
const PlainMessagesLink = () => (
  <Link to="/messages" aria-label="Messages" className={iconButtonClass}>
    <IconMessages size={22} stroke={1.6} aria-hidden />
  </Link>
);

/** Stands in for the bell until it has loaded, and if it doesn't. */
const BellLink = () => (
  <Link to="/notifications" aria-label="Notifications" className={iconButtonClass}>
    <IconBell size={22} stroke={1.6} aria-hidden />
  </Link>
);

/** Lazy-loaded, because visitors have none. */
const Bell = late(() => import("./bell.tsx"), BellLink);

const MessagesLink = late(() => import("./messages-link.tsx"), PlainMessagesLink);

/** Shown until the page knows who is signed in. */
const UnknownSide = () => (
  <>
    <PlainMessagesLink />
    <BellLink />
    <div className={classes.wide}>
      <Button {...accountButtonProps} disabled data-waiting>
        {accountLabel(null)}
      </Button>
    </div>
  </>
);

function MemberSide({ member, onLogout }: { member: Member; onLogout: () => void }) {
  const viewer = useViewer();
  // Waits for the server's answer, because the hint may be outdated.
  const mayAsk = viewer !== null && !viewer.lacksSecondFactor;
  return (
    <>
      {/* A Suspense around all would hide the first links, with their focus. */}
      {mayAsk && isStudentOrStaff(viewer) && (
        <Suspense fallback={<PlainMessagesLink />}>
          <MessagesLink viewer={viewer} />
        </Suspense>
      )}
      {!mayAsk && <PlainMessagesLink />}
      {mayAsk ? (
        <Suspense fallback={<BellLink />}>
          <Bell />
        </Suspense>
      ) : (
        <BellLink />
      )}
      <div className={classes.wide}>
        <AccountMenu member={member} onLogout={onLogout} />
      </div>
    </>
  );
}
