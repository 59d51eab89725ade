import { useMutation, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { DuplicateGroupRow } from "#contract/duplicates.ts";
import { clueLabel, type Verdict } from "#domain/duplicates.ts";
import { announce } from "../../lib/announce.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { formatDate } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AdminNav } from "./admin-nav.tsx";
import table from "./data-table.module.css";
import classes from "./duplicates.module.css";
import { TableSkeleton } from "./paged-table.tsx";
import { ViewSwitch } from "./view-switch.tsx";

export const meta = () => pageMeta("Possible duplicates");

type View = { show: "open" | "decided" };
const defaults = { show: "open" } as const;
const readView = (params: URLSearchParams): View => ({
  show: params.get("show") === "decided" ? "decided" : defaults.show,
});
const viewLabel: Record<View["show"], string> = { open: "To decide", decided: "Decided" };
const empty: Record<View["show"], { title: string; text: string }> = {
  open: {
    title: "No possible duplicates",
    text: "No two students share a phone number, or a name with birth date and passport or postcode.",
  },
  decided: { title: "No decisions yet", text: "Groups that an admin has decided about are listed here." },
};

/** The students who may have two accounts, for an admin to review. Nothing is blocked automatically. */
export default function Duplicates() {
  const [{ show }, onChange] = useAddressView(readView, defaults);
  const { data, error, refetch } = useQuery(api.duplicates.list.queryOptions({ input: { show } }));
  return (
    <Page wide title="Possible duplicates">
      <AdminNav />
      <p className={table.lead}>
        Students who may have two accounts. Nothing is blocked: look at them, talk to them, and say what is
        true. To close an account that isn't needed, disable it in Manage Students.
      </p>
      <ViewSwitch labels={viewLabel} view={show} onChoose={(each) => onChange({ show: each })} />
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <TableSkeleton label="Loading possible duplicates" />}
      {data?.groups.length === 0 && <EmptyState {...empty[show]} />}
      {data && data.groups.length > 0 && <Groups groups={data.groups} />}
      {data?.more && <p className={classes.more}>There are more. Decide about these first.</p>}
    </Page>
  );
}

type Action = { group: DuplicateGroupRow; verdict: Verdict | null };

async function carryOut({ group: { members, decision }, verdict }: Action) {
  const [first, ...others] = members;
  if (verdict === null && decision) await rpc.duplicates.reopen({ id: decision.id });
  if (verdict !== null && first)
    await rpc.duplicates.decide({ studentId: first.id, otherIds: others.map(({ id }) => id), verdict });
}

const announcements: Record<Verdict, string> = {
  different: "Noted: these are different people.",
  same: "Noted: these accounts belong to one person.",
};

function Groups({ groups }: { groups: readonly DuplicateGroupRow[] }) {
  const act = useMutation({
    mutationFn: carryOut,
    onSuccess: (_, { verdict }) =>
      announce(verdict === null ? "The group is open again." : announcements[verdict]),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.duplicates.key() }),
  });
  return (
    <>
      <ul className={classes.groups} aria-label="Groups">
        {groups.map((group) => (
          <Group
            key={group.decision?.id ?? group.members.map(({ id }) => id).join(" ")}
            group={group}
            busy={act.isPending}
            onAct={(verdict) => act.mutate({ group, verdict })}
          />
        ))}
      </ul>
      <ErrorModal title="Error" error={act.error} onClose={act.reset} />
    </>
  );
}

const verdictWords: Record<Verdict, string> = { different: "Different people", same: "One person" };

type GroupProps = {
  group: DuplicateGroupRow;
  busy: boolean;
  onAct: (verdict: Verdict | null) => void;
};

function Group({ group: { members, clues, decision }, busy, onAct }: GroupProps) {
  const id = useId();
  return (
    <li ref={passFocusOn} className={classes.group} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {decision ? (
          <>
            {verdictWords[decision.verdict]}
            <span className={classes.hint}>
              {" "}
              decided by {decision.by} on {formatDate(decision.at)}
            </span>
          </>
        ) : (
          clues.map((clue) => clueLabel[clue]).join("\u00a0· ")
        )}
      </h2>
      <ul className={classes.members}>
        {members.map((member) => (
          <Member key={member.id} {...member} />
        ))}
      </ul>
      <div className={classes.actions}>
        {decision ? (
          <Button variant="default" disabled={busy} aria-describedby={id} onClick={() => onAct(null)}>
            Look again
          </Button>
        ) : (
          <>
            <Button
              variant="default"
              disabled={busy}
              aria-describedby={id}
              onClick={() => onAct("different")}
            >
              Different people
            </Button>
            <Button variant="default" disabled={busy} aria-describedby={id} onClick={() => onAct("same")}>
              One person
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

const applicationCount = (number: number) =>
  `${number === 0 ? "no" : number} ${number === 1 ? "application" : "applications"}`;

function Member(member: DuplicateGroupRow["members"][number]) {
  const { id, name, email, agent, applications, disabled, joinedAt, lastLoginAt } = member;
  return (
    <li className={classes.member}>
      <div className={classes.who}>
        <TextLink to={`/manage-students?${new URLSearchParams({ search: email, student: id }).toString()}`}>
          {name}
        </TextLink>
        {disabled && <StateBadge tone="ended">Disabled</StateBadge>}
      </div>
      <div className={classes.hint}>{email}</div>
      <div className={classes.hint}>
        {agent ?? "No agent"}, {applicationCount(applications)}. Joined {formatDate(joinedAt)}, last logged in{" "}
        {formatDate(lastLoginAt)}.
      </div>
    </li>
  );
}
