import { useMutation, useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { friendlyError } from "#domain/friendly-error.ts";
import type { InvitedRole } from "#domain/invitation.ts";
import { formatDate } from "../../lib/format-date.ts";
import { noReferrer, pageMeta, tokenOnly } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useMailedToken } from "../../lib/use-mailed-token.ts";
import { useVisit } from "../../lib/viewer.ts";
import { AuthPage } from "../../ui/auth-page.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { late } from "../../ui/late.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { homeOf } from "./home-of.ts";
import classes from "./invitation.module.css";

/** Lazy-loaded, because people who have an account only answer yes or no. */
const ClaimForm = late(() => import("./claim-form.tsx"));

const title = "Your invitation";

export const meta = () => [...pageMeta(title), noReferrer];

export const handle = tokenOnly;

export type OpenInvitation = Awaited<ReturnType<typeof rpc.invitations.look>>;

/** The page of a mailed invitation: who invites, what they will see, and the answer. */
export default function Invitation() {
  const token = useMailedToken();
  if (token) return <Opened token={token} />;
  return (
    <AuthPage title={title}>
      {token === undefined ? <Skeleton h={230} label="Loading" /> : <Spent />}
    </AuthPage>
  );
}

const Spent = () => (
  <Notice>
    This invitation can't be answered any more. It has expired, was withdrawn or was answered already. Please
    ask whoever invited you for a new one.
  </Notice>
);

type Outcome = { answer: "accepted" | "declined"; role: InvitedRole };

function Opened({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { data, error, refetch } = useQuery(
    // The link is spent once it is answered, so it isn't queried again.
    api.invitations.look.queryOptions({
      input: { token },
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnReconnect: false,
      refetchOnWindowFocus: false,
    }),
  );
  if (outcome) return <Answered {...outcome} />;
  if (data)
    return (
      <Offer
        token={token}
        invitation={data}
        onAnswered={(answer) => setOutcome({ answer, role: data.role })}
      />
    );
  return (
    <AuthPage title={title}>
      {!error && <Skeleton h={230} label="Loading" />}
      {error && friendlyError(error).code === "auth/invalid-action-code" && <Spent />}
      {error && friendlyError(error).code !== "auth/invalid-action-code" && (
        <Retry error={error} onRetry={() => void refetch()} />
      )}
    </AuthPage>
  );
}

const thanks: Record<InvitedRole, string> = {
  student: "Thank you. Your agent can help you now.",
  agent: "Thank you. Your account is approved, and you can start working with students.",
};

const Answered = ({ answer, role }: Outcome) => (
  <AuthPage title={answer === "accepted" ? "You're all set" : "Invitation declined"}>
    <Notice kind="success">
      {answer === "accepted" ? thanks[role] : "Nothing was created, and they can't invite you again."}
    </Notice>
    {answer === "accepted" && (
      <LinkButton primary to={homeOf[role]}>
        Open your dashboard
      </LinkButton>
    )}
  </AuthPage>
);

/** Lists what an inviter will see of a student. */
const AsStudent = ({ invitation: { inviter, expiresAt } }: { invitation: OpenInvitation }) => (
  <section className={classes.sees} aria-label="What they will see">
    <p>
      {inviter.guides
        ? `If you say yes, ${inviter.name} becomes your agent and sees:`
        : "Your agent and our administrators will see:"}
    </p>
    <ul>
      <li>your name, email, phone and country</li>
      <li>your profile with its identity details, and your documents</li>
      <li>your applications and your shortlist</li>
    </ul>
    <p>You can stop sharing your papers at any time. Open until {formatDate(expiresAt)}.</p>
  </section>
);

/** Says what an invited agent can do, and when. */
const AsAgent = ({ invitation: { account, agency, country, expiresAt } }: { invitation: OpenInvitation }) => (
  <section className={classes.sees} aria-label="If you say yes">
    <p>If you say yes, your account is approved at once, and you can:</p>
    <ul>
      <li>see students and their applications, and take students on</li>
      <li>see the papers of your own students, and talk with them</li>
    </ul>
    <p>
      {account === "new" && `Students see your name and your agency: ${agency}, ${country}. `}
      Open until {formatDate(expiresAt)}.
    </p>
  </section>
);

type OfferProps = {
  token: string;
  invitation: OpenInvitation;
  onAnswered: (answer: Outcome["answer"]) => void;
};

function Offer({ token, invitation, onAnswered }: OfferProps) {
  const { inviter, message, account, role } = invitation;
  const name = inviter.agency === "" ? inviter.name : `${inviter.name} of ${inviter.agency}`;
  return (
    <AuthPage
      title={
        account === "new" || role === "agent"
          ? `${inviter.name} invites you`
          : `${inviter.name} asks to guide you`
      }
      lead={
        role === "agent"
          ? `${name} would like you to guide students at Wayfare, as an agent of ${invitation.agency}.`
          : `${name} would like to help you apply to universities abroad.`
      }
    >
      {message && <blockquote className={classes.message}>{message}</blockquote>}
      {role === "agent" ? <AsAgent invitation={invitation} /> : <AsStudent invitation={invitation} />}
      {account === "new" && (
        <Suspense fallback={<Skeleton h={230} label="Loading" />}>
          <ClaimForm token={token} invitation={invitation} />
        </Suspense>
      )}
      {account === "yours" && (
        <Accept token={token} invitation={invitation} onAccepted={() => onAnswered("accepted")} />
      )}
      {account === "taken" && (
        <Notice>
          You already have an agent. To change, choose “Ask for another agent” on your dashboard: our
          administrators answer within five working days.
        </Notice>
      )}
      {account === "closed" && (
        <Notice>
          {role === "agent"
            ? "The account of this address can't become an agent's. Please ask whoever invited you to use another address."
            : "The account of this address can't have an agent."}
        </Notice>
      )}
      <Decline token={token} inviter={inviter.name} onDeclined={() => onAnswered("declined")} />
    </AuthPage>
  );
}

/** Accepts for the invited account while it is logged in; nobody else can accept for it. */
function Accept({
  token,
  invitation: { email, role },
  onAccepted,
}: {
  token: string;
  invitation: OpenInvitation;
  onAccepted: () => void;
}) {
  const visit = useVisit();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.invitations.accept({ token }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: api.students.key() });
      await queryClient.invalidateQueries({ queryKey: api.account.me.key() });
      onAccepted();
    },
  });
  if (visit.state !== "known") return <Skeleton h={44} label="Loading" />;
  const { viewer } = visit;
  if (viewer === null)
    return (
      <>
        <p>This address has an account. Log in to it to say yes.</p>
        <LinkButton primary to={`/login?${new URLSearchParams({ next: `/invitation?token=${token}` })}`}>
          Log in to answer
        </LinkButton>
      </>
    );
  if (viewer.email !== email)
    return (
      <Notice>This invitation is for {email}. Log out here, and log in with that account to say yes.</Notice>
    );
  return (
    <>
      <Button size="md" disabled={isPending} onClick={() => mutate()}>
        {isPending ? "Saving..." : role === "agent" ? "Yes, I accept" : "Yes, be my agent"}
      </Button>
      <ErrorModal title="Invitation Error" error={error} onClose={reset} />
    </>
  );
}

function Decline({ token, inviter, onDeclined }: { token: string; inviter: string; onDeclined: () => void }) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.invitations.decline({ token }),
    onSuccess: onDeclined,
  });
  return (
    <div className={classes.decline}>
      <p>Not for you? {inviter} won't be able to invite you again.</p>
      <Button variant="default" disabled={isPending} onClick={() => mutate()}>
        {isPending ? "Saving..." : "No, thank you"}
      </Button>
      <ErrorModal title="Invitation Error" error={error} onClose={reset} />
    </div>
  );
}
