import { IconX } from "@tabler/icons-react";
import { NavLink } from "react-router";
import { useNext } from "../lib/use-next.ts";
import type { Member } from "../lib/viewer.ts";
import { IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { dashboardLabels, entriesOf, type MenuEntry, publicEntries, visitorEntries } from "./menus.ts";
import classes from "./sidebar.module.css";

type SidebarProps = {
  member: Member | null;
  opened: boolean;
  onClose: () => void;
  onLogout: () => void;
};

/** The menu behind the hamburger. On a narrow screen it also has the dropdown's entries. */
export function Sidebar({ member, opened, onClose, onLogout }: SidebarProps) {
  const withNext = useNext();
  return (
    <Dialog side title="Menu" opened={opened} onClose={onClose}>
      <IconButton label="Close menu" onClick={onClose} className={classes.close}>
        <IconX size={20} aria-hidden />
      </IconButton>
      {member?.email && <p className={classes.email}>{member.email}</p>}
      <nav aria-label="Sidebar">
        <Entries entries={publicEntries} onChosen={onClose} />
        <hr className={classes.line} />
        {member ? (
          <MemberEntries member={member} onChosen={onClose} onLogout={onLogout} />
        ) : (
          <Entries
            entries={visitorEntries.map(({ label, to }) => ({ label, to: withNext(to) }))}
            onChosen={onClose}
          />
        )}
      </nav>
    </Dialog>
  );
}

type MemberEntriesProps = { member: Member; onChosen: () => void; onLogout: () => void };

function MemberEntries({ member, onChosen, onLogout }: MemberEntriesProps) {
  const [dashboard, ...others] = entriesOf(member);
  return (
    <>
      <Entries entries={[{ ...dashboard, label: dashboardLabels[member.role] }]} onChosen={onChosen} />
      <div className={classes.narrow}>
        <Entries entries={others} onChosen={onChosen} />
      </div>
      <button type="button" className={classes.entry} onClick={onLogout}>
        Logout
      </button>
    </>
  );
}

function Entries({ entries, onChosen }: { entries: readonly MenuEntry[]; onChosen: () => void }) {
  return entries.map(({ label, to }) => (
    <NavLink key={to} to={to} onClick={onChosen} className={classes.entry ?? ""}>
      {label}
    </NavLink>
  ));
}
