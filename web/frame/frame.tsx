import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useMember } from "../lib/viewer.ts";
import { late, Nothing } from "../ui/late.tsx";
import { Footer } from "./footer.tsx";
import classes from "./frame.module.css";
import { Navbar } from "./navbar.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useSignOut } from "./sign-out.tsx";

/** Lazy-loaded, because visitors never see it. */
const VerifyReminder = late(() => import("./verify-reminder.tsx"), Nothing);
/** Lazy-loaded, so that the first screen appears sooner. */
const Navigation = late(() => import("./navigation.tsx"), Nothing);

export function Frame({ children }: { children: ReactNode }) {
  const member = useMember();
  const [sidebarOpen, setSidebarOpen] = useState(false);
  const { signOut } = useSignOut();
  const main = useFocusOnArrival();
  const onLogout = () => {
    setSidebarOpen(false);
    signOut({ to: "/" });
  };
  return (
    <>
      <div className={classes.frame}>
        <a href="#main" className={classes.skip}>
          Skip to content
        </a>
        <Navbar
          member={member}
          sidebarOpen={sidebarOpen}
          onOpen={() => setSidebarOpen(true)}
          onLogout={onLogout}
        />
        <Sidebar
          member={member}
          opened={sidebarOpen}
          onClose={() => setSidebarOpen(false)}
          onLogout={onLogout}
        />
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          {children}
        </main>
        <Footer />
        <Suspense>
          <Navigation />
        </Suspense>
      </div>
      {member && (
        <Suspense>
          <VerifyReminder />
        </Suspense>
      )}
    </>
  );
}

/** Moves the focus to the content when another screen opens, as a page load would; for `<main>`. */
function useFocusOnArrival() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
