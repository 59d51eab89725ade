import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Invitation } from "#contract/invitations.ts";
import {
  type InvitationState,
  type InvitedRole,
  invitationStateLabels,
  maySendAgain,
  mayWithdraw,
} from "#domain/invitation.ts";
import { announce } from "../../lib/announce.ts";
import { formatDate } from "../../lib/format-date.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import classes from "./invitations.module.css";
import { InviteAgentDialog, InviteDialog } from "./invite-dialog.tsx";
import { InviteFile } from "./invite-file.tsx";

const title = "Invitations";

export const meta = () => pageMeta(title);

const invitationsQuery = api.invitations.list.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
  select: ({ pages }) => pages.flatMap(({ invitations }) => invitations),
  refetchOnWindowFocus: "always",
});
const refetchInvitations = () => queryClient.invalidateQueries({ queryKey: api.invitations.key() });

/** The students whom an agent has invited, or for an admin all invitations, including those of agents. */
export default function Invitations() {
  useLive("notifications");
  const query = useInfiniteQuery(invitationsQuery);
  const { data: invitations, error, refetch } = query;
  const isAdmin = useViewer()?.role === "admin";
  const [inviting, setInviting] = useState<InvitedRole | null>(null);
  const close = () => setInviting(null);
  const [isBringingIn, setBringingIn] = useState(false);
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null);
  const again = useMutation({
    mutationFn: ({ id }: Invitation) => rpc.invitations.sendAgain({ id }),
    onSuccess: (_done, { email }) => announce(`Sent to ${email} again.`),
    onSettled: refetchInvitations,
  });
  const withdrawal = useMutation({
    mutationFn: ({ id }: Invitation) => rpc.invitations.withdraw({ id }),
    onSuccess: () => announce("Invitation withdrawn."),
    onSettled: refetchInvitations,
  });
  const pending = again.isPending
    ? again.variables.id
    : withdrawal.isPending
      ? withdrawal.variables.id
      : null;
  const invite = (
    <div className={classes.buttons}>
      <Button onClick={() => setInviting("student")}>Invite a student</Button>
      {isAdmin && (
        <Button variant="default" onClick={() => setInviting("agent")}>
          Invite an agent
        </Button>
      )}
      <Button variant="default" onClick={() => setBringingIn(true)}>
        Invite from a file
      </Button>
    </div>
  );
  return (
    <Page
      title={title}
      lead="Invite students by email. They decide whether you guide them, and can answer for 14 days."
    >
      {!invitations && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!invitations && !error && <Skeleton h={220} label="Loading invitations" />}
      {invitations?.length === 0 && (
        <EmptyState
          title="No invitations yet"
          text="Invite your first student. Once they accept, they appear among your students."
        >
          {invite}
        </EmptyState>
      )}
      {invitations && invitations.length > 0 && (
        <>
          <div className={classes.invite}>{invite}</div>
          <ItemList label={title}>
            {invitations.map((invitation) => (
              <InvitationItem
                key={invitation.id}
                invitation={invitation}
                busy={pending === invitation.id}
                onSendAgain={() => again.mutate(invitation)}
                onWithdraw={() => setWithdrawn(invitation)}
              />
            ))}
          </ItemList>
          <ShowMore query={query} />
        </>
      )}
      <InviteFile opened={isBringingIn} onClose={() => setBringingIn(false)} />
      <InviteDialog opened={inviting === "student"} onClose={close} onSent={refetchInvitations} />
      {isAdmin && (
        <InviteAgentDialog opened={inviting === "agent"} onClose={close} onSent={refetchInvitations} />
      )}
      <ConfirmModal
        question={
          withdrawn && {
            title: "Withdraw invitation",
            text: `The link that ${withdrawn.email} got stops working.`,
            action: "Withdraw",
          }
        }
        onConfirm={() => {
          if (withdrawn) withdrawal.mutate(withdrawn);
          setWithdrawn(null);
        }}
        onCancel={() => setWithdrawn(null)}
      />
      <ErrorModal
        title="Error"
        error={again.error ?? withdrawal.error}
        onClose={() => {
          again.reset();
          withdrawal.reset();
        }}
      />
    </Page>
  );
}

const tones: Record<InvitationState, Tone> = {
  invited: "going",
  claimed: "good",
  declined: "ended",
  expired: "ended",
  withdrawn: "ended",
};

type InvitationItemProps = {
  invitation: Invitation;
  busy: boolean;
  onSendAgain: () => void;
  onWithdraw: () => void;
};

function InvitationItem({ invitation, busy, onSendAgain, onWithdraw }: InvitationItemProps) {
  const { firstName, lastName, email, message, state, sentAt, expiresAt, endedAt, by } = invitation;
  const { role, agency, country } = invitation;
  const name = `${firstName} ${lastName}`.trim() || email;
  return (
    <Item
      name={name}
      state={<StateBadge tone={tones[state]}>{invitationStateLabels[state]}</StateBadge>}
      details={
        <>
          <p>{email}</p>
          {role === "agent" && <p>As an agent of {[agency, country].filter(Boolean).join(", ")}</p>}
          <p>
            Sent {formatDate(sentAt)}
            {by !== null && ` by ${by}`} ·{" "}
            {endedAt
              ? `${invitationStateLabels[state]} ${formatDate(endedAt)}`
              : `${state === "expired" ? "Expired" : "Open until"} ${formatDate(expiresAt)}`}
          </p>
          {message && <p>“{message}”</p>}
        </>
      }
      actions={
        <>
          {maySendAgain(state) && (
            <Button
              variant="default"
              disabled={busy}
              aria-label={`Send again: ${name}`}
              onClick={onSendAgain}
            >
              Send again
            </Button>
          )}
          {mayWithdraw(state) && (
            <Button variant="default" disabled={busy} aria-label={`Withdraw: ${name}`} onClick={onWithdraw}>
              Withdraw
            </Button>
          )}
        </>
      }
    />
  );
}
